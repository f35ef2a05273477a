import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import { hasGrown } from '../../rules/context/transcript-growth.ts';

/** Shorter conversations are serialized whole for less than it costs to remember them. */
export const leastRemembered = 32;

/** Bytes that can grow. Several prefixes may share them; only the longest may grow in place. */
interface Space {
  bytes: Buffer;
  used: number;
}

/** The first bytes of a space. */
interface Extent {
  space: Space;
  length: number;
}

/** The serialized beginning of a conversation, and the entries that it came from. */
interface Prefix extends Extent {
  entries: readonly TranscriptEntry[];
}

function extend({ space, length }: Extent, text: string): Extent {
  const needed = length + Buffer.byteLength(text);
  const fits = space.used === length && needed <= space.bytes.length;
  const grown = fits ? space : { bytes: Buffer.alloc(Math.ceil(needed * 1.5)), used: 0 };
  if (!fits) space.bytes.copy(grown.bytes, 0, 0, length);
  grown.bytes.write(text, length);
  grown.used = needed;
  return { space: grown, length: needed };
}

/**
 * Serializes each entry of a conversation once, where what is made of an entry depends on no other. Bytes live as long as the first entry of
 * their conversation does, and never change once handed out.
 */
export class SerializedPrefixes {
  readonly #known = new WeakMap<TranscriptEntry, Prefix>();
  readonly #serialize: (entry: TranscriptEntry) => string;

  /** `serialize`: an entry as JSON values separated by commas, or empty. */
  constructor(serialize: (entry: TranscriptEntry) => string) {
    this.#serialize = serialize;
  }

  /** The whole conversation, separated by commas. */
  take(transcript: readonly TranscriptEntry[]): Buffer {
    const [first] = transcript;
    if (!first) return Buffer.alloc(0);
    const prefix = this.#known.get(first);
    const known = prefix && hasGrown(prefix.entries, transcript) ? prefix : null;
    const before = known ?? { space: { bytes: Buffer.alloc(0), used: 0 }, length: 0 };
    const added = transcript
      .slice(known?.entries.length ?? 0)
      .map(this.#serialize)
      .filter((text) => text !== '')
      .join(',');
    const { space, length } = added === '' ? before : extend(before, before.length > 0 ? `,${added}` : added);
    this.#known.set(first, { entries: transcript, space, length });
    return space.bytes.subarray(0, length);
  }
}
