import { type Delta, joinDelta, sourceOf } from '@errand/base/signals/deltas.ts';

/** Characters kept for a reader that is slower than the model; more would be a reply that nobody is reading. */
const maxHeld = 200_000;

/**
 * Deltas between a task and one reader. Pieces of one reply are joined while the reader is busy. What a reader gets of an
 * attempt, or of a tool's output, has no holes: when the buffer would overflow, that attempt is given up as a whole, and the
 * event that ends the step brings its text.
 */
export class DeltaBuffer {
  #held: Delta[] = [];
  #heldLength = 0;
  #givenUp = '';

  add(delta: Delta): void {
    const source = sourceOf(delta);
    if (source === this.#givenUp) return;
    if (this.#heldLength + delta.text.length > maxHeld) {
      this.take();
      this.#givenUp = source;
      return;
    }
    this.#heldLength += delta.text.length;
    joinDelta(this.#held, delta);
  }

  /** Everything held so far, which is then held no more. */
  take(): Delta[] {
    const taken = this.#held;
    this.#held = [];
    this.#heldLength = 0;
    return taken;
  }
}
