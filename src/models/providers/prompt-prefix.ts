import { newUuid } from '@errand/base/ids.ts';
import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import { hasGrown } from '../../rules/context/transcript-growth.ts';
import type { ModelRequest } from '../model.ts';

/** Shorter conversations are serialized whole for less than it costs to remember them. */
const leastEntries = 32;

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

/** The serialized messages of the beginning of a conversation, and the entries that they came from. */
interface Prefix extends Extent {
  entries: readonly TranscriptEntry[];
}

interface Open {
  transcript: readonly TranscriptEntry[];
  known: Prefix | null;
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
 * Serializes each message of a conversation once, for provider packages that convert each on its own. The package gets only what is new,
 * between two marks, and what it makes of it is put behind the bytes of earlier calls. Prefixes live as long as the first entry of their
 * conversation does.
 */
export class PromptPrefixes {
  /** Is in the text of two messages; nobody outside knows it, so that no other text has it. */
  readonly #secret = `errand-mark-${newUuid()}-`;
  readonly #known = new WeakMap<TranscriptEntry, Prefix>();
  readonly #open = new Map<string, Open>();
  #count = 0;

  /** Runs a call with a request that has only what is new; `wrap` completes it. */
  async shorten<Result>(request: ModelRequest, call: (shortened: ModelRequest) => Promise<Result>): Promise<Result> {
    const { transcript, images, outputSchema } = request;
    const [first] = transcript;
    // Images come and go in a conversation, and structured output has messages of another form.
    if (!first || transcript.length < leastEntries || images?.size || outputSchema) return call(request);
    const prefix = this.#known.get(first);
    const known = prefix && hasGrown(prefix.entries, transcript) ? prefix : null;
    const mark = `${this.#secret}${(this.#count += 1)}.`;
    const end: TranscriptEntry = { role: 'user', text: mark };
    this.#open.set(mark, { transcript, known });
    try {
      return await call({ ...request, transcript: [end, ...transcript.slice(known?.entries.length ?? 0), end] });
    } finally {
      this.#open.delete(mark);
    }
  }

  /** The `fetch` for the provider package. */
  wrap(wire: typeof fetch): typeof fetch {
    return (input, init) => {
      const body = init?.body;
      const at = typeof body === 'string' && this.#open.size > 0 ? body.indexOf(this.#secret) : -1;
      if (typeof body !== 'string' || at === -1) return wire(input, init);
      const mark = body.slice(at, body.indexOf('.', at) + 1);
      const open = this.#open.get(mark);
      return open ? wire(input, { ...init, body: this.#complete(body, mark, open) }) : wire(input, init);
    };
  }

  #complete(body: string, mark: string, { transcript, known }: Open): Buffer<ArrayBuffer> {
    const [first, last] = [body.indexOf(mark), body.lastIndexOf(mark)];
    const head = body.slice(0, body.lastIndexOf('{', first));
    const added = body.slice(body.indexOf('}', first) + 2, Math.max(0, body.lastIndexOf('{', last) - 1));
    const tail = body.slice(body.indexOf('}', last) + 1);
    const before = known ?? { space: { bytes: Buffer.alloc(0), used: 0 }, length: 0 };
    const { space, length } = added === '' ? before : extend(before, before.length > 0 ? `,${added}` : added);
    const [entry] = transcript;
    if (entry) this.#known.set(entry, { entries: transcript, space, length });
    return Buffer.concat([Buffer.from(head), space.bytes.subarray(0, length), Buffer.from(tail)]);
  }
}
