import { readChoiceSetting, readSecret, readWebAddress } from './setting-readers.ts';
import { setting } from './setting.ts';

type SearchEngine = 'searxng' | 'brave' | 'tavily';

/** The search engine that agents use. */
export const searchSettings = {
  ERRAND_SEARCH: setting<SearchEngine | null>({
    about: 'Search engine for agents: searxng, brave, or tavily.',
    fallback: null,
    example: 'searxng',
    read: readChoiceSetting<SearchEngine>(['searxng', 'brave', 'tavily']),
  }),
  ERRAND_SEARCH_URL: setting<string | null>({
    about: 'Base URL of the search engine; required for searxng.',
    fallback: null,
    fallbackText: "the engine's own",
    example: 'http://localhost:8888',
    read: readWebAddress,
  }),
  ERRAND_SEARCH_API_KEY: setting<string | null>({
    about: 'API key for the search engine; required for brave and tavily.',
    fallback: null,
    example: 'key-of-the-engine',
    read: readSecret(1),
  }),
};

interface SearchValues {
  ERRAND_SEARCH: SearchEngine | null;
  ERRAND_SEARCH_URL: string | null;
  ERRAND_SEARCH_API_KEY: string | null;
}

/** The missing setting of an engine; null for none. */
export function findHalfSearch(values: SearchValues): { missing: keyof SearchValues; given: string } | null {
  const { ERRAND_SEARCH: kind, ERRAND_SEARCH_URL: url, ERRAND_SEARCH_API_KEY: key } = values;
  const given = `ERRAND_SEARCH=${kind}`;
  if (kind === 'searxng' && url === null) return { missing: 'ERRAND_SEARCH_URL', given };
  if (kind !== null && kind !== 'searxng' && key === null) return { missing: 'ERRAND_SEARCH_API_KEY', given };
  return null;
}
