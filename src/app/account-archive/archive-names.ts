/** The names of the entries in an archive. */
export const archiveNames = {
  manifest: 'manifest.json',
  table: (table: string) => `tables/${table}.jsonl`,
  blob: (blobId: string) => `files/${blobId}`,
  workspace: (taskId: string) => `workspaces/${taskId}.tar.zst`,
};

/** The kind of an archive entry, by its name; null for a name that no export writes. */
export function readEntryName(name: string): { kind: 'manifest' | 'table' | 'blob' | 'workspace'; id: string } | null {
  if (name === archiveNames.manifest) return { kind: 'manifest', id: '' };
  const [, table] = /^tables\/([a-z_]{1,40})\.jsonl$/.exec(name) ?? [];
  if (table !== undefined) return { kind: 'table', id: table };
  const [, blob] = /^files\/([0-9A-Za-z]{1,64})$/.exec(name) ?? [];
  if (blob !== undefined) return { kind: 'blob', id: blob };
  const [, task] = /^workspaces\/([0-9A-Za-z]{1,64})\.tar\.zst$/.exec(name) ?? [];
  return task === undefined ? null : { kind: 'workspace', id: task };
}
