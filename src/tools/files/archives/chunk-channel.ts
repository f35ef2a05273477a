interface Offer {
  piece: Uint8Array | null;
  taken: () => void;
}

/** Chunks from a producer to a writer; each push resolves when its chunk has been taken. */
export class Channel implements AsyncIterable<Uint8Array> {
  #offer: Offer | null = null;
  #failure: unknown = null;
  #arrived: (() => void) | null = null;

  push(piece: Uint8Array): Promise<void> {
    return this.#put(piece);
  }

  end(): void {
    void this.#put(null);
  }

  /** Ends the channel and discards its content: the writer receives this error. */
  fail(error: unknown): void {
    this.#failure = error;
    this.#arrived?.();
  }

  #put(piece: Uint8Array | null): Promise<void> {
    return new Promise((taken) => {
      this.#offer = { piece, taken };
      this.#arrived?.();
    });
  }

  async #next(): Promise<Offer> {
    while (this.#offer === null && this.#failure === null) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
    this.#arrived = null;
    const offer = this.#offer;
    this.#offer = null;
    if (!offer) throw this.#failure;
    return offer;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let offer = await this.#next(); offer.piece !== null; offer = await this.#next()) {
      yield offer.piece;
      offer.taken();
    }
  }
}
