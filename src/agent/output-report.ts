import type { Delta } from '@errand/base/signals/deltas.ts';
import { WrittenFile } from '../rules/events/written-file.ts';
import type { TaskRun } from './agent-ports.ts';

/** The call whose input is the text of a file. */
const writingTool = 'write_file';

/** Limit of one call; the rest is read from its result. */
const maxReported = 200_000;

const cleanText = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

/**
 * Turns a running tool's output into deltas, or the text of a file that a call writes. Untrusted text: made well-formed and stripped of NUL,
 * which databases reject.
 */
export function createReport(
  callId: string,
  tool: string,
  publish: (delta: Delta) => void,
  path?: string,
): (text: string) => void {
  const file = path === undefined ? {} : { path: cleanText(path) };
  let at = 0;
  return (written) => {
    const text = cleanText(written.slice(0, maxReported - at));
    if (text === '') return;
    publish({ callId, tool, at, text, ...file });
    at += text.length;
  };
}

/** Shows readers the text of files while the model writes it, as the input of a call that has not begun. */
export function createFileReport({ task, ports }: TaskRun): (call: { id: string; tool: string }, piece: string) => void {
  const files = new Map<string, { file: WrittenFile; report: ((text: string) => void) | null }>();
  return ({ id, tool }, piece) => {
    if (tool !== writingTool) return;
    const entry = files.get(id) ?? { file: new WrittenFile(), report: null };
    files.set(id, entry);
    const text = entry.file.add(piece);
    if (entry.file.path === null) return;
    entry.report ??= createReport(id, tool, (delta) => ports.deltas.publish(task.taskId, delta), entry.file.path);
    entry.report(text);
  };
}
