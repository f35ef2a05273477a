import type { Readable } from 'node:stream';

export interface OutputRules {
  /** The maximum output of all streams together. */
  limitBytes: number;
  /** Called when the limit is exceeded; the excess is dropped. */
  exceed(): void;
  /** Receives the other output as it arrives. */
  show(chunk: Buffer): void;
}

/** Collects the data of several streams; returns a function that returns all of it, stream by stream. */
export function collectOutput(streams: readonly Readable[], { limitBytes, exceed, show }: OutputRules): () => Buffer[] {
  let takenBytes = 0;

  function collect(stream: Readable): Buffer[] {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, limitBytes - takenBytes);
      takenBytes += kept.length;
      if (kept.length > 0) {
        chunks.push(kept);
        show(kept);
      }
      if (kept.length < chunk.length) exceed();
    });
    return chunks;
  }

  const collected = streams.map(collect);
  return () => collected.map((chunks) => Buffer.concat(chunks));
}
