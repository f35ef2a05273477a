import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';

/** A piece of a tool call as it comes; servers leave out most of it, each something else. */
export interface CallPiece {
  index: number | null;
  id: string;
  name: string;
  input: string;
  /** Google's, which wants it back. */
  signature: string | null;
}

interface OpenCall extends CallPiece {
  isNamed: boolean;
}

function beginsValue(input: string): boolean {
  return /^\s*[{[]/.test(input);
}

function isWhole(input: string): boolean {
  if (!/[}\]]\s*$/.test(input)) return false;
  try {
    JSON.parse(input);
    return true;
  } catch {
    return false;
  }
}

/** Puts the pieces of a reply's tool calls together. */
export class OpenCalls {
  readonly #calls: OpenCall[] = [];

  add(piece: CallPiece): void {
    const call = this.#find(piece);
    if (!call) {
      this.#calls.push({ ...piece, isNamed: piece.name !== '' });
      return;
    }
    call.input += piece.input;
    call.id ||= piece.id;
    call.index ??= piece.index;
    call.signature ??= piece.signature;
    if (!call.isNamed && piece.name !== '') [call.name, call.isNamed] = [piece.name, true];
  }

  /**
   * The call that a piece goes on with. Some servers count all calls as number 0, some repeat id or name with every piece, some make up
   * a new id for each, some give none of the two. An input that is whole takes nothing more from a piece with a name.
   */
  #find(piece: CallPiece): OpenCall | undefined {
    const { name, input } = piece;
    const fitting = this.#calls.filter((call) => name === '' || !call.isNamed || call.name === name);
    const call = this.#listCandidates(piece, fitting).at(-1);
    const mayBegin = name !== '' && (input.trim() === '' || beginsValue(input));
    return call && mayBegin && isWhole(call.input) ? undefined : call;
  }

  #listCandidates({ index, id, name, input }: CallPiece, calls: readonly OpenCall[]): readonly OpenCall[] {
    if (id !== '' && this.#calls.some((call) => call.id === id)) {
      return calls.filter((call) => call.id === id && (index === null || call.index === null || call.index === index));
    }
    if (index === null) return id === '' && name === '' ? calls : [];
    const counted = calls.filter((call) => call.index === index);
    return id !== '' && name !== '' && beginsValue(input)
      ? counted.filter((call) => call.id === '' && call.input === '')
      : counted;
  }

  /** All calls, in their order; null when one of them never got a name. */
  finish(): Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>[] | null {
    if (this.#calls.some(({ isNamed }) => !isNamed)) return null;
    const areCounted = this.#calls.every(({ index }) => index !== null);
    const sorted = areCounted ? this.#calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : this.#calls;
    return sorted.map(({ id, name, input, signature }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input,
      ...(signature !== null && { providerMetadata: { compatible: { thoughtSignature: signature } } }),
    }));
  }
}
