import { createHash } from 'node:crypto';
import { BlobTooLarge, type Measure } from './blob-store.ts';

/** Counts and hashes a stream; throws `BlobTooLarge` before passing on the first byte over the limit. */
export class Measuring {
  readonly #hash = createHash('sha256');
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  async *pass(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#bytes += chunk.byteLength;
      if (this.#bytes > this.#maxBytes) throw new BlobTooLarge(this.#maxBytes);
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  /** Hash of everything that has passed; call it once, at the end. */
  measure(): Measure {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
