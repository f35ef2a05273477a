import type { Delta } from '@errand/base/signals/deltas.ts';
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

/** Until the text begins, nothing but the path is expected. */
const longestHead = 2_000;

/** How the input begins that models write: its fields are in the order of the schema. */
const head = /^\s*\{\s*"path"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"content"\s*:\s*"/;

/** Where the part of a JSON text from `from` ends that can be read without what follows, and whether the text ends there. */
function findEnd(json: string, from: number): { end: number; isOver: boolean } {
  let end = from;
  while (end < json.length) {
    const sign = json[end];
    if (sign === '"') return { end, isOver: true };
    const length = sign !== '\\' ? 1 : json[end + 1] === 'u' ? 6 : 2;
    if (end + length > json.length) break;
    end += length;
  }
  return { end, isOver: false };
}

/** Reads the text of a file from the input of a call, which comes as pieces of JSON. What cannot be read that way is left alone. */
export class WrittenFile {
  /** Null until the text begins. */
  path: string | null = null;
  #json = '';
  /** Half of a character. */
  #held = '';
  #isOver = false;

  /** The next part of the text; empty if there is none yet. */
  add(piece: string): string {
    if (this.#isOver) return '';
    this.#json += piece;
    if (this.path === null && !this.#findStart()) return '';
    const { end, isOver } = findEnd(this.#json, 0);
    const part = this.#json.slice(0, end);
    this.#json = this.#json.slice(end);
    this.#isOver = isOver;
    try {
      return this.#whole(JSON.parse(`"${part}"`) as string);
    } catch {
      this.#isOver = true;
      return '';
    }
  }

  #findStart(): boolean {
    const [start, path] = head.exec(this.#json) ?? [];
    if (start === undefined || path === undefined) {
      this.#isOver = this.#json.length > longestHead;
      return false;
    }
    try {
      this.path = JSON.parse(path) as string;
    } catch {
      this.#isOver = true;
      return false;
    }
    this.#json = this.#json.slice(start.length);
    return true;
  }

  /** Characters of two units are not torn. */
  #whole(text: string): string {
    const all = this.#held + text;
    const isTorn = !this.#isOver && /[\ud800-\udbff]$/.test(all);
    this.#held = isTorn ? all.slice(-1) : '';
    return isTorn ? all.slice(0, -1) : all;
  }
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
