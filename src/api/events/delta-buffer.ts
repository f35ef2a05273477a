import { type Delta, joinDelta, sourceOf } from '@errand/base/signals/deltas.ts';

/** Characters buffered for a reader that is slower than the model; above this, nobody is reading. */
const maxHeld = 200_000;

/**
 * Buffers deltas between a task and one reader. Pieces of one reply are merged while the reader is busy. A reader never gets an attempt, or
 * a tool's output, with gaps: on overflow that attempt is dropped completely, and the event that ends the step has its text.
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
    const before = this.#held.length;
    joinDelta(this.#held, delta);
    // A piece that could not be joined holds its source once more: pieces of two files in turn are mostly that.
    const isApart = this.#held.length > before;
    this.#heldLength += delta.text.length + (isApart ? source.length : 0);
  }

  /** Takes everything out of the buffer. */
  take(): Delta[] {
    const taken = this.#held;
    this.#held = [];
    this.#heldLength = 0;
    return taken;
  }
}
