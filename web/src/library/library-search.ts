/** Categories in display order. */
export const categories = [
  'documents',
  'slides',
  'spreadsheets',
  'images',
  'website',
  'mobile_app',
  'game',
  'videos',
  'audio',
  'others',
] as const;
export type Category = (typeof categories)[number];

/** The search parameters of the library. */
export interface LibrarySearch {
  type?: Category;
  query?: string;
  favorite?: true;
  /** Rows instead of cards. */
  view?: 'list';
  /** The opened artifact. */
  artifact?: string;
}

/** Reads the search parameters; invalid ones are dropped. */
export function readLibrarySearch(search: Record<string, unknown>): LibrarySearch {
  const type = categories.find((category) => category === search['type']);
  const { query, favorite, view, artifact } = search;
  return {
    ...(type && { type }),
    ...((typeof query === 'string' || typeof query === 'number') && query !== '' && { query: String(query) }),
    ...((favorite === true || favorite === 'true') && { favorite: true }),
    ...(view === 'list' && { view }),
    ...(typeof artifact === 'string' && artifact !== '' && { artifact }),
  };
}
