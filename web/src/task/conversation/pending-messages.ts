import type { EventOf, PendingRow } from './row.ts';

/** What is said to a task. */
export interface NewMessage {
  key: string;
  text: string;
  filenames: readonly string[];
  atMs: number;
  /** The newest event when it was said: its own can only be behind that. */
  behind: string | null;
}

/** What was said here and is not in the log yet, in the order in which it was said. */
export class PendingMessages {
  rows: readonly PendingRow[] = [];
  readonly #behind = new Map<string, string | null>();

  add({ key, text, filenames, atMs, behind }: NewMessage): void {
    if (this.rows.some((row) => row.key === key)) return;
    this.#behind.set(key, behind);
    const row: PendingRow = { kind: 'pending', key, atMs, text, filenames, delivery: 'sending', problem: null };
    this.rows = [...this.rows, row];
  }

  /** False when there is no such message any more. */
  settle(key: string, delivery: PendingRow['delivery'], problem: string | null): boolean {
    const isKnown = this.rows.some((row) => row.key === key);
    this.rows = this.rows.map((row) => (row.key === key ? { ...row, delivery, problem } : row));
    return isKnown;
  }

  drop(key: string): boolean {
    const count = this.rows.length;
    this.rows = this.rows.filter((row) => row.key !== key);
    return this.rows.length < count;
  }

  /** A message has come into the log: the first one here that reads the same is that one, even one that seemed to have failed. */
  match({ id, user_message: { content, attachments } }: EventOf<'user_message'>): void {
    const possible = this.rows.filter(({ key }) => id > (this.#behind.get(key) ?? ''));
    const isSame = (row: PendingRow) => row.text.trim() === content.trim() && row.filenames.length === attachments.length;
    const found = possible.find(isSame) ?? possible.find(({ delivery }) => delivery === 'accepted');
    if (found) this.drop(found.key);
  }
}
