import { mostRowBytes, type PlacedState, type RowResult, type RowState } from './row-work.ts';

/** A row that is to be given to a model. */
export interface OpenRow {
  position: number;
  text: string;
  /** What was wrong with its first answer; null if there was none. */
  mismatch: string | null;
}

/** What came of one call about a row: `misfit` is an answer that cannot be used. */
export type RowAnswer =
  | { kind: 'done'; value: unknown }
  | { kind: 'misfit'; reason: string }
  | { kind: 'refused'; reason: string };

/** The state of a row after an answer. A first misfit is asked about once more. */
export function classifyAnswer({ mismatch }: Pick<OpenRow, 'mismatch'>, answer: RowAnswer): RowState {
  if (answer.kind === 'done') return { state: 'done', value: answer.value };
  const { reason } = answer;
  return { state: answer.kind === 'misfit' && mismatch === null ? 'misfit' : 'failed', reason };
}

/** The rows of a table and what came of them so far. */
export class RowProgress {
  readonly #rows: readonly string[];
  readonly #states: (RowState | null)[];

  /** `known`: what is stored of them. A row that is too long for a model has failed before it is asked about. */
  constructor(rows: readonly string[], known: readonly PlacedState[]) {
    this.#rows = rows;
    this.#states = rows.map((text) => {
      const bytes = Buffer.byteLength(text);
      const reason = `the row has ${bytes} bytes, more than the ${mostRowBytes} that a model is given`;
      return bytes > mostRowBytes ? { state: 'failed', reason } : null;
    });
    for (const state of known) this.note(state);
  }

  /** The first rows without a result, at most `most`. */
  listOpen(most = this.#rows.length): OpenRow[] {
    const open: OpenRow[] = [];
    for (const [position, text] of this.#rows.entries()) {
      if (open.length >= most) break;
      const state = this.#states[position] ?? null;
      if (state === null || state.state === 'misfit') open.push({ position, text, mismatch: state?.reason ?? null });
    }
    return open;
  }

  note({ position, ...state }: PlacedState): void {
    if (position < this.#rows.length) this.#states[position] = state;
  }

  /** How many rows there are, how many have a result, and how many of these have failed. */
  count(): { rows: number; done: number; failed: number } {
    const failed = this.#states.filter((state) => state?.state === 'failed').length;
    const done = this.#states.filter((state) => state?.state === 'done').length;
    return { rows: this.#rows.length, done: done + failed, failed };
  }

  /** The result of each row, once none is open. */
  listResults(): RowResult[] {
    return this.#states.map((state) =>
      state === null || state.state === 'misfit' ? { state: 'failed', reason: 'it was not answered' } : state,
    );
  }
}
