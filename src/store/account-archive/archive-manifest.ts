import { z } from 'zod';
import { refuseArchive } from './archive-refusal.ts';

/** Grows with every change that earlier versions cannot import. */
const archiveVersion = 1;
const format = 'errand-account';

const entry = z.object({ name: z.string(), bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** What an import cannot bring back, because it is secret or belongs to the instance. */
const lost = z.object({ kind: z.string(), id: z.string(), name: z.string() });
/** A secret to be entered or made again. */
export type LostSecret = z.infer<typeof lost>;

const manifestSchema = z.object({
  format: z.literal(format),
  version: z.literal(archiveVersion),
  /** Number of the newest migration of the database. */
  schema: z.int().min(1),
  made_at: z.int(),
  /** Version of the program. */
  made_by: z.string(),
  account: z.object({ id: z.string(), email: z.string() }),
  tables: z.array(z.object({ table: z.string(), rows: z.int().min(0) })),
  workspaces: z.array(z.object({ task_id: z.string(), generation: z.int().min(0), left_out: z.int().min(0) })),
  /** Every entry of the archive but this one, in their order. */
  files: z.array(entry),
  left_out: z.array(z.object({ table: z.string(), reason: z.string() })),
  enter_again: z.array(lost),
});

/** An entry of an archive. */
export type ArchiveFile = z.infer<typeof entry>;
/** The last entry of an archive: what is in it, and what is not. */
export type ArchiveManifest = z.infer<typeof manifestSchema>;

export function writeArchiveManifest(manifest: Omit<ArchiveManifest, 'format' | 'version'>): string {
  return JSON.stringify({ format, version: archiveVersion, ...manifest } satisfies ArchiveManifest);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuseArchive('its manifest is damaged', error);
  }
}

/** Parses the output of `writeArchiveManifest`; `schema` is that of this program. Throws 400 for anything else. */
export function readArchiveManifest(text: string, schema: number): ArchiveManifest {
  const content = parse(text);
  const head = z.looseObject({ format: z.literal(format), version: z.int(), schema: z.int() }).safeParse(content);
  if (!head.success) throw refuseArchive('it is not the export of an account');
  if (head.data.version > archiveVersion || head.data.schema > schema) {
    throw refuseArchive('a newer version of errand has made it; update this one');
  }
  const manifest = manifestSchema.safeParse(content);
  if (!manifest.success) throw refuseArchive('its manifest is damaged', manifest.error);
  return manifest.data;
}
