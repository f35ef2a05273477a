import { defineCommand } from './command.ts';
import {
  type Check,
  checkAddresses,
  checkBridges,
  checkBrowser,
  checkDataFolder,
  checkDatabase,
  checkEgress,
  checkFiles,
  checkFonts,
  checkModels,
  checkNode,
  checkOutbound,
  checkSandbox,
  checkSearch,
  checkTranscription,
  checkWeb,
} from '../doctor/check-reports.ts';
import { checkMedia, checkOffice } from '../doctor/office-report.ts';
import { checkSignIn } from '../doctor/sign-in-report.ts';
import { exitCode } from './exit-code.ts';
import { formatTable, printJson, printText } from './output.ts';
import type { Shell } from './shell.ts';
import { readVersion } from './version.ts';

async function examine(shell: Shell): Promise<Check[]> {
  const [folder, database, addresses, files, models] = await Promise.all([
    checkDataFolder(shell),
    checkDatabase(shell),
    checkAddresses(shell),
    checkFiles(shell),
    checkModels(shell),
  ]);
  return [
    checkNode(shell),
    folder,
    database,
    files,
    ...addresses,
    await checkWeb(),
    await checkSignIn(shell),
    ...models,
    await checkTranscription(shell),
    checkOutbound(shell),
    ...(await checkSandbox(shell)),
    await checkFonts(),
    checkEgress(shell),
    await checkSearch(shell),
    await checkBrowser(shell),
    await checkOffice(shell),
    await checkMedia(),
    ...(await checkBridges(shell)),
  ];
}

function describe(checks: readonly Check[]): string {
  const rows = checks.flatMap(({ state, name, found, remedy }) => [
    [state, name, found],
    ...(remedy === undefined ? [] : [['', '', `→ ${remedy}`]]),
  ]);
  return formatTable(rows);
}

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check what the service needs, and say how to get what is missing.',
  args: {},
  options: {},
  details: `Nothing is changed. A configured model is asked one short question, which costs a few tokens.
Exit code: 0 when the service can run, though perhaps with less; 1 when it cannot.`,
  examples: [['doctor', 'before the first start, or when something does not work']],
  async run(shell, { options }) {
    const checks = await examine(shell);
    const canRun = checks.every(({ state }) => state !== 'failed');
    if (options.json) printJson(shell, { ok: canRun, version: readVersion(), checks });
    else printText(shell, `${describe(checks)}\n\n${canRun ? 'errand can run.' : 'errand cannot run yet.'}`);
    return canRun ? exitCode.done : exitCode.failed;
  },
});
