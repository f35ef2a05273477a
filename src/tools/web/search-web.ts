import { z } from 'zod';
import { defineTool, type Tool } from '../toolbox/tool.ts';
import type { SearchEngine } from './search-engine.ts';

const input = z.strictObject({
  query: z.string().min(1).max(1000),
  count: z.int().min(1).max(20).default(8),
});

export function createSearchWeb(engine: SearchEngine): Tool {
  return defineTool({
    name: 'search_web',
    description: 'Searches the web: titles, URLs, excerpts.',
    input,
    effect: 'retry',
    onlyReads: true,
    reads: 'web',
    summarize: ({ query }) => ({ brief: `Searching the web for ${query}`, action: 'Searching the web', param: query }),
    async run({ query, count }, { signal }) {
      const hits = await engine.search(query, count, signal);
      if (hits.length === 0) return { status: 'success', output: 'Nothing was found. Use other words.' };
      const lines = hits.map(
        ({ title, url, excerpt }, index) => `${index + 1}. ${title}\n   ${url}${excerpt === '' ? '' : `\n   ${excerpt}`}`,
      );
      return { status: 'success', output: lines.join('\n') };
    },
  });
}
