import { createHash } from 'node:crypto';
import { z } from 'zod';
import { BackupProblem } from './backup-problem.ts';

const part = z.object({ bytes: z.number(), sha256: z.string() });

const manifestSchema = z.object({
  id: z.string(),
  /** When its snapshot of the database was taken, in milliseconds since the epoch. */
  taken_at: z.number(),
  version: z.string(),
  instance_id: z.string(),
  migrations: z.array(z.object({ version: z.number(), digest: z.string() })),
  database: part.extend({ rows: z.number() }),
  /** `index` is the list of blobs; `copied` counts those that no earlier backup had. */
  blobs: z.object({ index: part, count: z.number(), bytes: z.number(), copied: z.number() }),
  workspaces: z.object({ index: part, count: z.number(), bytes: z.number(), left_out: z.number() }),
  /** The secret of the data folder; null if it is not stored there, or was left out. */
  secret: z.string().nullable(),
});

/** The content of a finished backup. */
export type BackupManifest = z.infer<typeof manifestSchema>;

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function writeManifest(manifest: BackupManifest): string {
  const content = JSON.stringify(manifest);
  return JSON.stringify({ content, sha256: digest(content) });
}

/** Parses the output of `writeManifest`; throws `BackupProblem` for anything else. */
export function readManifest(text: string, name: string): BackupManifest {
  try {
    const { content, sha256 } = z.object({ content: z.string(), sha256: z.string() }).parse(JSON.parse(text));
    if (digest(content) !== sha256) throw new Error('wrong checksum');
    return manifestSchema.parse(JSON.parse(content));
  } catch (error) {
    throw new BackupProblem(`${name} is damaged: its manifest cannot be read; use another backup`, { cause: error });
  }
}

/** A blob in a backup. */
export const blobEntry = z.object({ account: z.string(), id: z.string(), bytes: z.number(), sha256: z.string() });
export type BlobEntry = z.infer<typeof blobEntry>;

/** A workspace in a backup, as an archive. */
export const workspaceEntry = z.object({
  account: z.string(),
  task: z.string(),
  generation: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  /** What the archive lacks: how many entries, and the first of them; absent if nothing, and in backups of earlier versions. */
  left_out: z.object({ count: z.number(), files: z.array(z.object({ path: z.string(), reason: z.string() })) }).optional(),
});
export type WorkspaceEntry = z.infer<typeof workspaceEntry>;
