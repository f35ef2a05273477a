import type { Trouble } from './scripted-work.ts';

/** A call requested by one line, and how to describe it. */
export interface LineCall {
  tool: string;
  input: Record<string, unknown>;
  /** The request in words, for example after "Failed:": `write hello.md`. */
  request: string;
  /** The completed action in words, for example after "Done:": `wrote hello.md`. */
  done: string;
  /** The result is what the user wanted to see. */
  showsResult: boolean;
  /** A file that the call generates, delivered afterward. */
  delivers?: string;
}

/** `isSlow`: the reply with this text arrives word by word. */
export type Instruction =
  | { type: 'call'; call: LineCall }
  | { type: 'say'; text: string; isSlow?: true }
  | { type: 'trouble'; trouble: Trouble };

export interface LineForm {
  verb: string;
  /** The syntax, as explained to people. */
  usage: string;
  /** Null if the text after the verb does not match the syntax. */
  read(rest: string): Instruction | null;
}

const quotes = new Set(['"', "'", '`']);

export function unquote(word: string): string {
  const first = word.charAt(0);
  return word.length > 1 && quotes.has(first) && word.endsWith(first) ? word.slice(1, -1) : word;
}

/** The first word or quoted phrase, and the rest. */
export function takeName(text: string): [name: string, rest: string] {
  const quote = quotes.has(text.charAt(0)) ? text.charAt(0) : null;
  const end = quote ? text.indexOf(quote, 1) + 1 : text.search(/\s/);
  if (end <= 0) return [unquote(text), ''];
  return [unquote(text.slice(0, end)), text.slice(end).trim()];
}

/** The text after a keyword, or null if the text does not start with it. */
export function takeWord(text: string, word: string): string | null {
  const [first, rest] = takeName(text);
  return first.toLowerCase() === word ? rest : null;
}

export function call(
  tool: string,
  input: Record<string, unknown>,
  request: string,
  done: string,
  showsResult = false,
): Instruction {
  return { type: 'call', call: { tool, input, request, done, showsResult } };
}

/** An instruction that generates the file `path` with a tool; the file is then delivered. */
export function makeFile(
  tool: string,
  input: Record<string, unknown> & { path: string },
  request: string,
  done: string,
): Instruction {
  return { type: 'call', call: { tool, input, request, done, showsResult: false, delivers: input.path } };
}
