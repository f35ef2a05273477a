import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { normaliseWorkspacePath } from '../sandbox/workspace-path.ts';
import { closedFolders } from './closed-folders.ts';
import { type SearchReport, searchScope } from './file-search.ts';
import { compileQuery, type FoundLine, type SearchQuery } from './line-search.ts';
import { createSearchThreads } from './search-thread.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(1000)
    .describe('The text to find, or a regular expression (JavaScript) when regex is true. It is compared line by line.'),
  regex: z.boolean().default(false).describe('Take query as a regular expression. By default every character means itself.'),
  ignore_case: z.boolean().default(false).describe('Take upper and lower case as the same.'),
  path: z
    .string()
    .default('.')
    .describe('The folder or file to search, relative to the workspace. Default: the whole workspace.'),
  glob: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Search only matching files: "*.ts" (by name, in any folder) or "src/**/*.{js,ts}" (by path from the workspace).'),
  context_lines: z.int().min(0).max(10).default(0).describe('How many lines before and after each match to show.'),
  limit: z.int().min(1).max(500).default(100).describe('How many matching lines to show at most.'),
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
    try {
      compileQuery(searchQuery);
      const report = await withSearchThread(searchQuery, context.signal, (thread) => searchScope(thread, scope, context));
      return { status: 'success', output: drawReport(report) };
    } catch (error) {
      // Some faults of an expression come out only when it is first used.
      if (error instanceof SyntaxError) return { status: 'error', output: `query: ${error.message}` };
      throw error;
    }
  }

  return defineTool({
    name: 'search_files',
    description: `Finds the lines of the workspace's text files that contain a text or match a regular expression, with file names and line numbers.
Use it to find where something is before you read or edit; narrow it with path and glob. Matches never span lines. Files over 2 MB, and ${closedFolders.join(', ')} unless path names them, are left out.
Examples: {"query": "createUser("} finds the calls of a function; {"query": "error|warning", "regex": true, "glob": "*.py", "context_lines": 2}.`,
    input,
    effect: 'retry',
    reads: 'files',
    account: ({ query }) => ({ brief: `Searching for ${query}`, action: 'Searching files', param: query }),
    run: search,
  });
}
