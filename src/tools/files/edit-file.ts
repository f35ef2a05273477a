import { z } from 'zod';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { explainMissing } from './text/near-match.ts';
import { readText } from './text/text-file.ts';
import { findStarts, lineAt } from '@errand/base/text/text-match.ts';
import { defineTool, type ToolOutcome } from '../toolbox/tool.ts';

/** Larger texts are edited with commands; this bounds the work of one edit. */
const maxFileBytes = 2 * 1024 * 1024;
const maxPartLength = 50_000;

const input = z.strictObject({
  path: z.string(),
  old_string: z.string().min(1).max(maxPartLength).describe('Without line numbers.').meta({ disclosure: 'bare' }),
  new_string: z.string().max(maxPartLength),
  replace_all: z.boolean().default(false),
});

export interface Edit {
  oldText: string;
  newText: string;
  replaceAll: boolean;
}

type EditResult = { text: string; places: number[] } | { problem: string } | { nothingToDo: string };

function showLines(text: string, places: readonly number[]): string {
  const lines = [...new Set(places.slice(0, 5).map((place) => lineAt(text, place)))].join(', ');
  if (places.length > 5) return `lines ${lines} and so on`;
  return lines.includes(',') ? `lines ${lines}` : `line ${lines}`;
}

/**
 * True if every match lies inside an occurrence of the new text: the edit was made before. So an edit that is rerun after a crash ("a" to
 * "a b") does nothing the second time.
 */
function isMadeAlready(text: string, places: readonly number[], { oldText, newText }: Edit): boolean {
  if (!newText.includes(oldText)) return false;
  const made = findStarts(text, newText, true);
  let next = made.next();
  let lastEnd = 0;
  return places.every((place) => {
    while (!next.done && next.value <= place) {
      lastEnd = next.value + newText.length;
      next = made.next();
    }
    return place + oldText.length <= lastEnd;
  });
}

function replacePlaces(text: string, places: readonly number[], { oldText, newText }: Edit): string {
  const pieces: string[] = [];
  let from = 0;
  for (const place of places) {
    pieces.push(text.slice(from, place), newText);
    from = place + oldText.length;
  }
  return [...pieces, text.slice(from)].join('');
}

/** The matching rule, pure: exactly one occurrence, or all of them on request. */
export function applyEdit(text: string, edit: Edit): EditResult {
  if (edit.oldText === edit.newText) return { problem: 'old_string and new_string are the same; there is nothing to change.' };
  const places = [...findStarts(text, edit.oldText, !edit.replaceAll)];
  if (places.length === 0) return { problem: explainMissing(text, edit.oldText, edit.newText) };
  if (isMadeAlready(text, places, edit)) {
    return { nothingToDo: `new_string is already there (${showLines(text, places)}).` };
  }
  if (places.length > 1 && !edit.replaceAll) {
    const where = `old_string occurs ${places.length} times (${showLines(text, places)})`;
    return { problem: `${where}. Include more of the text around the one you mean, or set replace_all.` };
  }
  const length = text.length + places.length * (edit.newText.length - edit.oldText.length);
  if (length > 2 * maxFileBytes) return { problem: `The file would grow to ${length} characters, which is too large.` };
  return { text: replacePlaces(text, places, edit), places };
}

/** Models write line feeds; in a file with CR LF throughout, they mean those. */
function fitLineEnds(part: string, text: string): string {
  const usesCrLf = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  return usesCrLf ? part.replace(/\r?\n/g, '\r\n') : part;
}

export const editFile = defineTool({
  name: 'edit_file',
  description: 'Replaces an exact text, which occurs once unless replace_all.',
  input,
  effect: 'retry',
  reads: 'files',
  summarize: ({ path }) => ({ brief: `Editing ${path}`, action: 'Editing file', param: path }),
  async run({ path, old_string, new_string, replace_all }, { workspace }): Promise<ToolOutcome> {
    const text = await readText(workspace, path, maxFileBytes);
    const fit = (part: string) => fitLineEnds(part.toWellFormed(), text);
    const result = applyEdit(text, { oldText: fit(old_string), newText: fit(new_string), replaceAll: replace_all });
    const shown = normaliseWorkspacePath(path);
    if ('problem' in result) return { status: 'error', output: `${shown} was not changed. ${result.problem}` };
    if ('nothingToDo' in result) return { status: 'success', output: `${shown} was not changed. ${result.nothingToDo}` };
    await workspace.write(path, result.text);
    const count = result.places.length === 1 ? 'one place' : `${result.places.length} places`;
    return { status: 'success', output: `Changed ${shown} in ${count} (${showLines(text, result.places)}).` };
  },
});
