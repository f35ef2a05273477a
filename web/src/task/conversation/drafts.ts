import type { ReplyDelta } from '@errand/client';

interface Draft {
  step: number;
  attempt: number;
  text: string;
  /** The offset of the next piece; null when pieces carry no offset. */
  end: number | null;
  isCut: boolean;
}

/** How many replies without a draft are remembered, for late pieces. */
const mostRemembered = 4;

/**
 * Partial replies. Pieces may arrive slightly before the event that ends the previous step, or after the one that ends their own; and the
 * latter can only be matched by its text.
 */
export class Drafts {
  /** Drafts by step, oldest first. */
  #drafts: Draft[] = [];
  #closedStep = 0;
  #complete: readonly string[] = [];

  /** Adds a piece; false when it changes nothing. */
  add({ step, attempt, at, text }: ReplyDelta): boolean {
    if (step <= this.#closedStep || text === '') return false;
    const known = this.#drafts.find((draft) => draft.step === step);
    if (known && attempt < known.attempt) return false;
    const draft = known ?? { step, attempt, text: '', end: 0, isCut: false };
    if (!known) this.#insert(draft);
    if (attempt > draft.attempt) Object.assign(draft, { attempt, text: '', end: 0, isCut: false });
    return grow(draft, at ?? null, text);
  }

  /** A reply is complete: its draft is removed, and those of earlier steps. */
  close(reply: string): void {
    const complete = this.#drafts.find((draft) => belongsTo(draft, reply));
    if (!complete) {
      this.#complete = [...this.#complete.slice(1 - mostRemembered), reply];
      return;
    }
    this.#closedStep = complete.step;
    this.#drafts = this.#drafts.filter(({ step }) => step > complete.step);
  }

  /** The turn is over. */
  clear(): void {
    this.#closedStep = this.#drafts.at(-1)?.step ?? this.#closedStep;
    this.#drafts = [];
  }

  /** The text being written; null if there is none. */
  get current(): Readonly<Draft> | null {
    const newest = this.#drafts.at(-1);
    if (!newest || newest.text.trim() === '') return null;
    return this.#complete.some((reply) => belongsTo(newest, reply)) ? null : newest;
  }

  #insert(draft: Draft): void {
    const place = this.#drafts.findIndex(({ step }) => step > draft.step);
    this.#drafts.splice(place < 0 ? this.#drafts.length : place, 0, draft);
  }
}

function grow(draft: Draft, at: number | null, text: string): boolean {
  if (at === null || draft.end === null) {
    draft.text += text;
    draft.end = null;
    return true;
  }
  if (at + text.length <= draft.end) return false;
  if (at > draft.end) {
    // Pieces were missed: the rest is shown, marked as incomplete.
    draft.text = text;
    draft.isCut = true;
  } else draft.text += text.slice(draft.end - at);
  draft.end = at + text.length;
  return true;
}

function belongsTo(draft: Draft, reply: string): boolean {
  const text = draft.text.trim();
  return draft.isCut ? reply.includes(text) : reply.trimStart().startsWith(text);
}
