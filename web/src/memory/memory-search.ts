const scopes = ['project', 'agent'] as const;

/** The search parameters of the page: whose memory, and the open file. Without a scope, that of the account. */
export interface MemorySearch {
  scope?: (typeof scopes)[number];
  id?: string;
  path?: string;
}

const readText = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** Reads the search parameters; invalid ones are dropped. */
export function readMemorySearch(search: Record<string, unknown>): MemorySearch {
  const scope = scopes.find((one) => one === search['scope']);
  const [id, path] = [readText(search['id']), readText(search['path'])];
  return { ...(scope && id !== '' && { scope, id }), ...(path !== '' && { path }) };
}
