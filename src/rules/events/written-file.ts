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
