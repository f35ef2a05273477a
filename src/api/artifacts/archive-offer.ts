import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { boundClientOf } from '../../rules/accounts/access.ts';
import { nameArchive, nameArchiveFiles } from '../../rules/artifacts/archive-names.ts';
import type { ArchiveContent } from '../../rules/files/content-url.ts';
import { measureZip, zipMostBytes } from '../../rules/artifacts/zip-layout.ts';
import { archiveMostArtifacts, findArchived, listArchivedFiles } from '../../store/artifacts/archived-artifacts.ts';
import type { Context } from '../contract/operation.ts';

/** Where files are downloaded together. */
export const archiveOffer = z.object({
  url: z.string(),
  filename: z.string(),
  bytes: z.int().meta({ description: 'Size of the zip file, if nothing changes before the download.' }),
  file_count: z.int(),
});

/**
 * A URL that downloads these files as one archive, named after `title`; throws 404 `not_found` for a missing artifact, and 413
 * `payload_too_large` beyond the limit.
 */
export async function offerArchive(
  content: ArchiveContent,
  title: string,
  context: Context,
  addressOf = (filename: string) => context.urls.archive(content, filename),
): Promise<z.input<typeof archiveOffer>> {
  const found = await context.read(findArchived, { ...content, onlyClientId: boundClientOf(context.principal) });
  if (content.taskId === null && found.length < content.artifactIds.length) throw new Fault('not_found', 'artifact not found');
  const files = listArchivedFiles(found);
  const names = nameArchiveFiles(files.map(({ filename }) => filename));
  const bytes = measureZip(files.map((file, at) => ({ name: names[at] ?? '', bytes: file.bytes })));
  if (bytes > zipMostBytes || found.length > archiveMostArtifacts) {
    const limits = `at most ${archiveMostArtifacts} artifacts of together less than 4 GB fit into a zip file`;
    throw new Fault('payload_too_large', `${limits}; download some of them.`);
  }
  const filename = nameArchive(title);
  return { url: addressOf(filename), filename, bytes, file_count: files.length };
}
