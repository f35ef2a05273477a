import { StringDecoder } from 'node:string_decoder';

/** Reads server-sent events out of bytes as they come; hands on the data of each. An event that is not complete counts as not sent. */
export class EventReader {
  readonly #take: (data: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  /** The beginning of a line whose end has not come yet. */
  #rest = '';
  #data: string[] = [];
  #isFirst = true;
  #endsWithReturn = false;

  constructor(take: (data: string) => void) {
    this.#take = take;
  }

  push(chunk: Buffer): void {
    let text = this.#decoder.write(chunk);
    if (text === '') return;
    if (this.#isFirst && text.startsWith('\ufeff')) text = text.slice(1);
    this.#isFirst = false;
    // The other half of a line end that was cut in two.
    if (this.#endsWithReturn && text.startsWith('\n')) text = text.slice(1);
    this.#endsWithReturn = text === '' ? false : text.endsWith('\r');
    const lines = (this.#rest + text).split(text.includes('\r') ? /\r\n|\r|\n/ : '\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#hear(line);
  }

  #hear(line: string): void {
    if (line === '') return this.#dispatch();
    if (!line.startsWith('data')) return;
    if (line.length === 4) this.#data.push('');
    else if (line.charAt(4) === ':') this.#data.push(line.slice(line.charAt(5) === ' ' ? 6 : 5));
  }

  #dispatch(): void {
    if (this.#data.length === 0) return;
    const [first = '', ...others] = this.#data;
    this.#data = [];
    this.#take(others.length === 0 ? first : [first, ...others].join('\n'));
  }
}
