import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { type BrowserParts, createUseBrowser } from './browser/use-browser.ts';
import type { DocumentReader } from './files/readers/document-reader.ts';
import type { Tool } from './toolbox/tool.ts';
import { createFetchUrl } from './web/fetch-url.ts';
import type { SearchEngine } from './web/search-engine.ts';
import { createSearchWeb } from './web/search-web.ts';

export interface WebToolParts {
  /** The way out to addresses that a model names. */
  httpClient: SafeFetch;
  documents: DocumentReader;
  /** Null where none is configured. */
  engine: SearchEngine | null;
  /** Null where this machine has no sandbox or no Chromium. */
  browser: BrowserParts | null;
}

/** What reads the web; there is no search without an engine and no browser without Chromium. */
export function webTools({ httpClient, documents, engine, browser }: WebToolParts): Tool[] {
  return [
    createFetchUrl({ httpClient, documents }),
    ...(engine ? [createSearchWeb(engine)] : []),
    ...(browser ? [createUseBrowser(browser)] : []),
  ];
}
