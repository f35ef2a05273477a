import type { EventOf, PendingRow } from './row.ts';

/** A message to a task. */
export interface NewMessage {
  key: string;
  text: string;
  filenames: readonly string[];
  atMs: number;
  /** The newest event at the time: the message's own event can only come after it. */
  behind: string | null;
}

/** Messages that are not in the log yet, in the order of sending. */
export class PendingMessages {
  rows: readonly PendingRow[] = [];
  readonly #behind = new Map<string, string | null>();

  add({ key, text, filenames, atMs, behind }: NewMessage): void {
    if (this.rows.some((row) => row.key === key)) return;
    this.#behind.set(key, behind);
    const row: PendingRow = { kind: 'pending', key, atMs, text, filenames, delivery: 'sending', problem: null };
    this.rows = [...this.rows, row];
  }

  /** False if there is no such message any more. */
  mark(key: string, delivery: PendingRow['delivery'], problem: string | null): boolean {
    const isKnown = this.rows.some((row) => row.key === key);
    this.rows = this.rows.map((row) => (row.key === key ? { ...row, delivery, problem } : row));
    return isKnown;
  }

  drop(key: string): boolean {
    const count = this.rows.length;
    this.rows = this.rows.filter((row) => row.key !== key);
    return this.rows.length < count;
  }

  /** Matches a logged message with the first pending one with the same text, even one that seemed to have failed. */
  match({ id, user_message: { content, attachments } }: EventOf<'user_message'>): void {
    const possible = this.rows.filter(({ key }) => id > (this.#behind.get(key) ?? ''));
    const isSame = (row: PendingRow) => row.text.trim() === content.trim() && row.filenames.length === attachments.length;
    const found = possible.find(isSame) ?? possible.find(({ delivery }) => delivery === 'accepted');
    if (found) this.drop(found.key);
  }
}
