import { z } from 'zod';
import type { Clock } from '@errand/base/clock.ts';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { type SearchReport, searchScope } from './search/file-search.ts';
import type { FoundLine, SearchQuery } from './search/line-search.ts';
import { createSearchThreads } from './search/search-thread.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from '../toolbox/tool.ts';

const input = z.strictObject({
  query: z.string().min(1).max(1000),
  regex: z.boolean().default(false),
  ignore_case: z.boolean().default(false),
  path: z.string().default('.').describe('Folder or file.').meta({ disclosure: 'bare' }),
  glob: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('"*.ts" by name, "src/**/*.{js,ts}" by path.')
    .meta({ disclosure: 'bare' }),
  context_lines: z.int().min(0).max(10).default(0),
  limit: z.int().min(1).max(500).default(100),
});

/** Matching lines as `12: text`, lines around them as `13- text`, `--` where lines are left out between. */
function drawLines(lines: readonly FoundLine[]): string[] {
  const hasContext = lines.some(({ isMatch }) => !isMatch);
  return lines.flatMap(({ number, text, isMatch }, index) => {
    const isGap = hasContext && index > 0 && lines[index - 1]?.number !== number - 1;
    const line = `${number}${isMatch ? ':' : '-'} ${text}`;
    return isGap ? ['--', line] : [line];
  });
}

function drawReport({ found, matches, filesSearched, filesLeftOut, cut }: SearchReport): string {
  const leftOut = filesLeftOut > 0 ? `, left out as too large or unreadable: ${filesLeftOut}` : '';
  const ending = cut === null ? '' : ` There may be more: ${cut}.`;
  const summary = `Matching lines: ${matches}, in files: ${found.length} (searched: ${filesSearched}${leftOut}).${ending}`;
  return [summary, ...found.flatMap(({ path, lines }) => ['', path, ...drawLines(lines)])].join('\n');
}

type SearchInput = z.infer<typeof input>;

/** The search tool; `clock` measures its deadline. */
export function createSearchFiles(clock: Clock): Tool {
  const withSearchThread = createSearchThreads(clock);

  async function search(wanted: SearchInput, context: ToolContext): Promise<ToolOutcome> {
    const { query, regex: isRegex, ignore_case: ignoreCase, context_lines: contextLines, glob, limit } = wanted;
    const searchQuery: SearchQuery = { query, isRegex, ignoreCase, contextLines };
    const scope = { path: normaliseWorkspacePath(wanted.path), glob, limit };
    const searcher = { owner: context.accountId, signal: context.signal };
    try {
      const report = await withSearchThread(searchQuery, searcher, (thread) => searchScope(thread, scope, context));
      return { status: 'success', output: drawReport(report) };
    } catch (error) {
      // Some errors of a regular expression only appear when it is first used.
      if (error instanceof SyntaxError) return { status: 'error', output: `query: ${error.message}` };
      throw error;
    }
  }

  return defineTool({
    name: 'search_files',
    description: 'Finds lines of text files of a folder.',
    input,
    effect: 'retry',
    onlyReads: true,
    reads: 'files',
    summarize: ({ query }) => ({ brief: `Searching for ${query}`, action: 'Searching files', param: query }),
    run: search,
  });
}
