import { findClearedPath } from '../rules/context/rewriting.ts';
import type { ToolResult, TranscriptEntry } from '../rules/context/transcript.ts';
import { closedFolders, toolOutputFolder } from '../tools/toolbox/closed-folders.ts';
import type { TaskRun } from './agent-ports.ts';

/** How much of one result goes into a summary: as much as the log keeps. */
const longestResult = 16 * 1024;

/** A result as it was before it was cleared; the cleared form if its file is gone. */
async function restoreResult({ task, ports }: TaskRun, result: ToolResult): Promise<ToolResult> {
  const path = findClearedPath(result.output);
  if (path === null || !path.startsWith(`${toolOutputFolder}/`) || path.includes('..')) return result;
  const content = await ports
    .workspaceOf(task)
    .readStart(path, longestResult)
    .catch(() => null);
  return content ? { ...result, output: `${content.toString().toWellFormed()}\n[stored in ${path}]` } : result;
}

/** The entries for a summary, with their original results instead of the lines that replaced them. */
export async function restoreResults(run: TaskRun, entries: readonly TranscriptEntry[]): Promise<TranscriptEntry[]> {
  const restored: TranscriptEntry[] = [];
  for (const entry of entries) {
    if (entry.role !== 'tool') {
      restored.push(entry);
      continue;
    }
    const results: ToolResult[] = [];
    for (const result of entry.results) results.push(await restoreResult(run, result));
    restored.push({ role: 'tool', results });
  }
  return restored;
}

const mostListed = 60;
const longestUrl = 200;
const sourcesHeading = 'Sources that were opened:';

/** The texts in which URLs of sources occur: the inputs of calls, and the list at the end of an earlier summary. */
function readSourceTexts(entry: TranscriptEntry): string[] {
  if (entry.role === 'assistant') {
    return entry.parts.flatMap((part) => (part.type === 'call' ? [JSON.stringify(part.input ?? null)] : []));
  }
  const at = entry.role === 'user' && entry.isSummary === true ? entry.text.lastIndexOf(sourcesHeading) : -1;
  return entry.role === 'user' && at >= 0 ? [entry.text.slice(at)] : [];
}

function listSources(entries: readonly TranscriptEntry[]): string[] {
  const texts = entries.flatMap(readSourceTexts);
  const urls = texts.flatMap((text) => text.match(/https?:\/\/[^\s"\\<>]+/g) ?? []);
  return [...new Set(urls.map((url) => url.slice(0, longestUrl)))].slice(-mostListed);
}

function describeList(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n\n${heading}\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

/** The end of a summary, written by the service: the files of the workspace, the stored results, and the sources. */
export async function listMaterial(
  { task, ports }: TaskRun,
  entries: readonly TranscriptEntry[],
  maxCharacters: number,
): Promise<string> {
  const workspace = ports.workspaceOf(task);
  const list = async (path: string) => {
    const found = await workspace.list(path, 2_000, path === '' ? { closed: closedFolders } : {}).catch(() => []);
    return found.flatMap((entry) => (entry.kind === 'file' ? [entry.path] : []));
  };
  const files = (await list('')).filter((path) => !path.startsWith('.'));
  const stored = await list(toolOutputFolder);
  const lists = [
    describeList('Files in the workspace:', files.slice(0, mostListed)),
    describeList('Stored tool results (read_file shows them):', stored.slice(-mostListed)),
    describeList(sourcesHeading, listSources(entries)),
  ];
  return lists.map((text) => text.slice(0, maxCharacters / lists.length).toWellFormed()).join('');
}
