import type { Delta } from '@errand/base/signals/deltas.ts';
import type { TaskRun } from './agent-ports.ts';

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

/** Where the text must have begun. Every piece is matched from the beginning until then, so this bounds that work, too. */
const longestHead = 4_000;
/** Every delta has the path again, so a hostile model must not choose its size. The text of a file with a longer one is not shown. */
const longestPath = 200;

/** How the inputs begin that models write, by tool, up to the text of a file or of a passage: fields are in the order of the schema. */
const heads = {
  write_file: /^\s*\{\s*"path"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"content"\s*:\s*"/,
  edit_file: /^\s*\{\s*"path"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"old_string"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"new_string"\s*:\s*"/,
};

type WritingTool = keyof typeof heads;
const isWriting = (tool: string): tool is WritingTool => Object.hasOwn(heads, tool);

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

/** The path in a JSON string; null if it is none, or too long. */
function readPath(written: string): string | null {
  try {
    const path = JSON.parse(written) as string;
    return path.length > longestPath ? null : path;
  } catch {
    return null;
  }
}

/**
 * Reads the text of a file, or of the passage that replaces another, from the input of a call, which comes as pieces of JSON. What cannot be
 * read that way is left alone.
 */
export class WrittenFile {
  /** Null until the text begins. */
  path: string | null = null;
  #json = '';
  /** Half of a character. */
  #held = '';
  #isOver = false;
  readonly #head: RegExp;

  constructor(tool: WritingTool) {
    this.#head = heads[tool];
  }

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
    const [start, written] = this.#head.exec(this.#json.slice(0, longestHead)) ?? [];
    if (start === undefined || written === undefined) {
      this.#isOver = this.#json.length > longestHead;
      return false;
    }
    const path = readPath(written);
    this.#isOver = path === null;
    this.path = path;
    this.#json = this.#json.slice(start.length);
    return path !== null;
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
    if (!isWriting(tool)) return;
    const entry = files.get(id) ?? { file: new WrittenFile(tool), report: null };
    files.set(id, entry);
    const text = entry.file.add(piece);
    if (entry.file.path === null) return;
    entry.report ??= createReport(id, tool, (delta) => ports.deltas.publish(task.taskId, delta), entry.file.path);
    entry.report(text);
  };
}
