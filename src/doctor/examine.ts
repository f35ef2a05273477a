import { checkAddresses } from './address-check.ts';
import { checkBridges } from './bridge-check.ts';
import { checkBrowser } from './browser-check.ts';
import type { Check, DoctorContext } from './check.ts';
import { checkCovers } from './cover-check.ts';
import { checkDataFolder } from './data-folder-check.ts';
import { checkDatabase } from './database-check.ts';
import { checkFiles } from './files-check.ts';
import { checkFonts } from './font-check.ts';
import { checkModels } from './model-check.ts';
import { checkEgress, checkOutbound } from './network-check.ts';
import { checkNode } from './node-check.ts';
import { checkMedia, checkOffice } from './office-check.ts';
import { checkPictures } from './picture-check.ts';
import { checkSandbox } from './sandbox-check.ts';
import { checkSearch } from './search-check.ts';
import { checkSignIn } from './sign-in-check.ts';
import { checkTranscription } from './transcription-check.ts';
import { checkWeb } from './web-app-check.ts';

/** Runs every check. */
export async function examine(context: DoctorContext): Promise<Check[]> {
  const [folder, database, addresses, files, models] = await Promise.all([
    checkDataFolder(context),
    checkDatabase(context),
    checkAddresses(context),
    checkFiles(context),
    checkModels(context),
  ]);
  return [
    checkNode(context),
    folder,
    database,
    files,
    ...addresses,
    checkWeb(),
    await checkSignIn(context),
    ...models,
    await checkTranscription(context),
    await checkPictures(context),
    checkOutbound(context),
    ...(await checkSandbox(context)),
    checkFonts(),
    checkEgress(context),
    await checkSearch(context),
    await checkBrowser(context),
    await checkOffice(context),
    checkMedia(),
    checkCovers(),
    ...(await checkBridges(context)),
  ];
}
