import { z } from 'zod';
import type { ArchiveManifest } from '../../../store/account-archive/archive-manifest.ts';

/** What is in the archive of an account. */
export const archiveSummary = z
  .object({
    account_id: z.string(),
    email: z.string().meta({ description: 'The address at the time of the export.' }),
    rows: z.int(),
    files: z.int(),
    bytes: z.int().meta({ description: 'Size of rows, files, and workspaces.' }),
    workspaces: z.int(),
    enter_again: z
      .array(z.object({ kind: z.string(), id: z.string(), name: z.string() }))
      .meta({ description: 'What is not in the archive, because it is secret or belongs to the instance.' }),
  })
  .meta({ id: 'AccountArchive' });

export function presentArchive({
  account,
  tables,
  files,
  workspaces,
  enter_again,
}: ArchiveManifest): z.input<typeof archiveSummary> {
  return {
    account_id: account.id,
    email: account.email,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: files.length - tables.length - workspaces.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    workspaces: workspaces.length,
    enter_again,
  };
}
