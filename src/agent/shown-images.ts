import { buffer } from 'node:stream/consumers';
import type { ShownImage } from '../models/model.ts';
import { readImageHead } from '../rules/files/image-head.ts';
import { listPictures, type PictureRef, tokensPerPicture } from '../rules/context/shown-pictures.ts';
import type { TranscriptEntry } from '../rules/context/transcript.ts';

/** Opens a file of the user's messages; null if its bytes are gone. */
export type OpenAttachment = (accountId: string, blobId: string) => Promise<AsyncIterable<Uint8Array> | null>;

/** The limit of the strictest provider; a larger image stays in the workspace, for tools. */
const limits = { images: 20, windowPart: 0.25, bytes: 3_700_000, allBytes: 18_000_000, side: 8000 } as const;
/** Size limit of images cached for the next step. */
const keptBytes = 64_000_000;

/** Without pictures that a later result of the same step shows again: a page that was made, and then rendered to be looked at. */
function leaveOutRepeats(pictures: readonly PictureRef[]): readonly PictureRef[] {
  const isSame = (one: PictureRef, other: PictureRef) =>
    one.name !== undefined && one.name === other.name && one.bytes === other.bytes && one.blobId !== other.blobId;
  return pictures.filter((picture, at) => !pictures.slice(at + 1).some((later) => isSame(picture, later)));
}

/** The images of a conversation that fit, newest first: those of messages and those of results. */
function chooseImages(transcript: readonly TranscriptEntry[], most: number): PictureRef[] {
  const chosen = new Map<string, PictureRef>();
  let sum = 0;
  for (const { blobId, bytes } of transcript.flatMap((entry) => leaveOutRepeats(listPictures(entry))).toReversed()) {
    if (bytes > limits.bytes || chosen.has(blobId)) continue;
    if (chosen.size >= most || sum + bytes > limits.allBytes) break;
    chosen.set(blobId, { blobId, bytes });
    sum += bytes;
  }
  return [...chosen.values()];
}

/** An image in a form that the provider accepts; null if the provider would reject the whole request for it. */
function readImage(bytes: Buffer): ShownImage | null {
  const head = readImageHead(bytes);
  if (!head || Math.max(head.width, head.height) > limits.side || Math.min(head.width, head.height) < 1) return null;
  return { mediaType: head.type, bytes };
}

/** Images for models with vision, read once and cached for the following steps. */
export class ShownImages {
  readonly #open: OpenAttachment;
  /** Images, least recently used first. */
  readonly #kept = new Map<string, ShownImage | null>();
  #keptBytes = 0;

  constructor(open: OpenAttachment) {
    this.#open = open;
  }

  /** The images of the conversation that fit into a `window` of this many tokens, by blob id. */
  async load(
    accountId: string,
    transcript: readonly TranscriptEntry[],
    window: number,
  ): Promise<ReadonlyMap<string, ShownImage>> {
    const images = new Map<string, ShownImage>();
    const most = Math.min(limits.images, Math.floor((window * limits.windowPart) / tokensPerPicture));
    for (const { blobId } of chooseImages(transcript, most)) {
      const kept = this.#kept.get(blobId);
      const image = kept === undefined ? await this.#read(accountId, blobId) : kept;
      this.#keep(blobId, image);
      if (image) images.set(blobId, image);
    }
    return images;
  }

  async #read(accountId: string, blobId: string): Promise<ShownImage | null> {
    const content = await this.#open(accountId, blobId);
    return content && readImage(await buffer(content));
  }

  #keep(blobId: string, image: ShownImage | null): void {
    if (this.#kept.delete(blobId)) this.#keptBytes -= image?.bytes.byteLength ?? 0;
    this.#kept.set(blobId, image);
    this.#keptBytes += image?.bytes.byteLength ?? 0;
    for (const [oldest, kept] of this.#kept) {
      if (this.#keptBytes <= keptBytes) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= kept?.bytes.byteLength ?? 0;
    }
  }
}
