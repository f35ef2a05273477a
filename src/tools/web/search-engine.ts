import { Fault } from '@errand/base/fault.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { OutboundRequest, SafeFetch } from '@errand/base/net/safe-fetch.ts';

export interface SearchHit {
  title: string;
  url: string;
  /** A sentence or two of the page. */
  excerpt: string;
}

/** One search engine, whichever it is. */
export interface SearchEngine {
  name: string;
  /** The best first. A Fault says in words for a model why there is no answer. */
  search(query: string, count: number, signal: AbortSignal): Promise<SearchHit[]>;
}

export type SearchEngineKind = 'searxng' | 'brave' | 'tavily';

export interface SearchSettings {
  kind: SearchEngineKind;
  /** URL without a trailing slash; null for the engine's own. */
  url: string | null;
  apiKey: string | null;
}

type Wire = Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body'>;
type Answer = Record<string, unknown>;

interface Dialect {
  address: string;
  ask(address: string, apiKey: string, query: string, count: number): Wire;
  /** The list of hits, and what its members call the excerpt. */
  hits(answer: Answer): unknown;
  excerpt: string;
}

const json = { accept: 'application/json' };

function withQuery(address: string, parameters: Record<string, string>): string {
  return `${address}?${new URLSearchParams(parameters).toString()}`;
}

/** How each of them wants to be asked. */
const dialects: Record<SearchEngineKind, Dialect> = {
  searxng: {
    address: '',
    ask: (address, apiKey, query) => ({
      url: withQuery(`${address}/search`, { q: query, format: 'json' }),
      method: 'GET',
      headers: { ...json, ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }) },
    }),
    hits: ({ results }) => results,
    excerpt: 'content',
  },
  brave: {
    address: 'https://api.search.brave.com',
    ask: (address, apiKey, query, count) => ({
      url: withQuery(`${address}/res/v1/web/search`, { q: query.slice(0, 400), count: String(count) }),
      method: 'GET',
      headers: { ...json, 'x-subscription-token': apiKey },
    }),
    hits: ({ web }) => (web as Answer | undefined)?.results,
    excerpt: 'description',
  },
  tavily: {
    address: 'https://api.tavily.com',
    ask: (address, apiKey, query, count) => ({
      url: `${address}/search`,
      method: 'POST',
      headers: { ...json, 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ query, max_results: count }),
    }),
    hits: ({ results }) => results,
    excerpt: 'content',
  },
};

const limits = { allowHttp: true, totalMs: 20_000, connectMs: 5_000, maxBytes: 2 * 1024 * 1024 };
const longestExcerpt = 500;

/** One line without the marks that engines put around the words they found. */
function clean(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value
    .replace(/<\/?(strong|b|em|mark)>/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
}

function readHits(list: unknown, excerpt: string, count: number): SearchHit[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, count).flatMap((item: unknown) => {
    const hit = (item ?? {}) as Answer;
    const url = clean(hit.url);
    return /^https?:\/\//i.test(url) ? [{ title: clean(hit.title) || url, url, excerpt: clean(hit[excerpt]) }] : [];
  });
}

function parseAnswer(body: Buffer): Answer | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Answer) : null;
  } catch {
    return null;
  }
}

/** @param httpClient may reach the engine's address, which the operator named, wherever that is */
export function createSearchEngine({ kind, url, apiKey }: SearchSettings, httpClient: SafeFetch): SearchEngine {
  const dialect = dialects[kind];
  const address = url ?? dialect.address;

  return {
    name: kind,
    async search(query, count, signal) {
      const fail = (problem: string, detail?: string) =>
        new Fault(
          'unavailable',
          `The search engine ${problem}. Try again later, or another way.`,
          detail === undefined ? {} : { detail },
        );
      try {
        const { status, body } = await httpClient.request({
          ...dialect.ask(address, apiKey ?? '', query, count),
          ...limits,
          signal,
        });
        if (status === 429) throw fail('has had too many questions');
        if (status !== 200) throw fail(`refuses to answer (status ${status})`);
        const answer = parseAnswer(body);
        if (!answer) throw fail('gives an answer that cannot be read');
        return readHits(dialect.hits(answer), dialect.excerpt, count);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof OutboundFault)) throw error;
        throw fail('cannot be reached', `${error.message} ${error.detail ?? ''}`);
      }
    },
  };
}
