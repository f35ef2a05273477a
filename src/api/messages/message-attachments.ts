import { Readable } from 'node:stream';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import type { Attachment, AwaitedFile } from '../../rules/events/task-event.ts';
import { chooseContentType, fileStatusAt } from '../../rules/files/upload-policy.ts';
import { attachFile } from '../../rules/messages/attachment-place.ts';
import type { FileRecord } from '../../store/files/file-record.ts';
import { getFile } from '../../store/files/files.ts';
import { keyOfFile } from '../files/file-key.ts';
import { fetchFile, nameOfUrl } from './fetched-file.ts';
import { type FilePart, maxPartBytes, type PartSource } from './message-part.ts';
import type { Context } from '../contract/operation.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';

type UrlSource = Extract<PartSource, { kind: 'url' }>;

/** Timeout for all files of a message that its receiver cannot await, so that the sender gets a response. */
const totalTimeoutMs = 120_000;
/** After this time, files that have not arrived are fetched after the response, by whoever works on the task. */
const awaitAfterMs = 5000;
/** Files of a message that are processed concurrently. */
const atOnce = 4;

async function findUpload(part: FilePart, fileId: string, context: Context): Promise<FileRecord> {
  const field = `${part.field}.file_id`;
  const nowhere = () => new Fault('not_found', `${field}: file not found`);
  try {
    const file = await context.read(getFile, keyOfFile(fileId, context.principal));
    const status = fileStatusAt(file, context.now);
    if (status === 'deleted') throw nowhere();
    if (file.stored === null) throw invalidField(field, 'the file has not been uploaded');
    return file;
  } catch (error) {
    throw error instanceof Fault && error.code === 'not_found' ? nowhere() : error;
  }
}

/** The bytes of a part that needs no other server. */
async function take(part: FilePart & { source: Exclude<PartSource, UrlSource> }, context: Context): Promise<Attachment> {
  const { accountId } = context.principal;
  const { blobs } = context.intake;
  const { source } = part;
  if (source.kind === 'id') {
    const { filename: uploadedAs, contentType: known, stored } = await findUpload(part, source.fileId, context);
    const filename = part.filename ?? uploadedAs;
    if (stored === null) throw new Error('a file that was found has its bytes');
    return attachFile(part.isVoice, filename, part.contentType ?? known, stored);
  }
  const filename = part.filename ?? 'file';
  const contentType = part.contentType ?? chooseContentType(filename, undefined);
  return attachFile(
    part.isVoice,
    filename,
    contentType,
    await blobs.put(accountId, Readable.from([source.bytes]), { maxBytes: maxPartBytes }),
  );
}

async function fetchPart(part: FilePart, url: string, context: Context, signal: AbortSignal): Promise<Attachment> {
  const { filename, contentType } = part;
  const wanted = { field: `${part.field}.file_url`, url, filename, contentType, accountId: context.principal.accountId };
  const { name, type, stored } = await fetchFile(wanted, context.intake, signal);
  return attachFile(part.isVoice, name, type, stored);
}

/** Leaves the fetch to whoever works on the task. Called only if the process can seal the URL. */
function leaveForLater(part: FilePart, url: string, { principal, seal, now }: Context): AwaitedFile {
  if (!seal) throw new Error('a URL is awaited only by a process that can seal it');
  return {
    id: newId(now),
    kind: part.isVoice ? 'voice' : 'file',
    filename: part.filename ?? nameOfUrl(`${part.field}.file_url`, url),
    contentType: part.contentType,
    sealedUrl: seal.seal(url, sealedPlaces.awaitedFile(principal.accountId)),
  };
}

function tooSlow(): Fault {
  const problem = `must be fetched within ${totalTimeoutMs / 1000} seconds; send large files with file.upload`;
  return invalidField('message.content', `files ${problem}`);
}

/** Uploads first: the cheapest check runs before anything is fetched or stored. */
const order = { id: 0, data: 1, url: 2 } as const;

/** The files of a message, in part order. */
export interface TakenFiles {
  /** Those whose bytes are durable; the write that references them retains them. */
  attachments: Attachment[];
  /** Those that have not arrived in time. */
  awaited: AwaitedFile[];
}

/** Takes the files of one message. */
class FileIntake {
  readonly #context: Context;
  readonly #signal: AbortSignal;
  /** Aborted when fetches that have not ended are left to the task. */
  readonly #late: AbortSignal;
  readonly #taken = new Map<FilePart, Attachment | AwaitedFile>();

  constructor(context: Context, signal: AbortSignal, late: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
    this.#late = late;
  }

  async take(part: FilePart): Promise<void> {
    this.#signal.throwIfAborted();
    const { source } = part;
    this.#taken.set(
      part,
      source.kind === 'url' ? await this.#fetch(part, source.url) : await take({ ...part, source }, this.#context),
    );
  }

  async #fetch(part: FilePart, url: string): Promise<Attachment | AwaitedFile> {
    // An invalid URL is refused at once, however late it is.
    if (this.#late.aborted && URL.canParse(url)) return leaveForLater(part, url, this.#context);
    try {
      return await fetchPart(part, url, this.#context, AbortSignal.any([this.#signal, this.#late]));
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!this.#late.aborted || !URL.canParse(url)) throw error;
      return leaveForLater(part, url, this.#context);
    }
  }

  list(parts: readonly FilePart[]): TakenFiles {
    const taken = parts.flatMap((part) => this.#taken.get(part) ?? []);
    return {
      attachments: taken.filter((file) => 'blobId' in file),
      awaited: taken.filter((file) => 'sealedUrl' in file),
    };
  }
}

/**
 * Stores the files of a message. Ends with the first problem, which names its part, or when the caller disconnects.
 * @param canAwait whether the receiver of the message can wait for files that do not arrive within a few seconds
 */
export async function takeFiles(parts: readonly FilePart[], context: Context, canAwait: boolean): Promise<TakenFiles> {
  const { clock } = context.intake;
  const queue = parts.toSorted((a, b) => order[a.source.kind] - order[b.source.kind]);
  const [end, late] = [new AbortController(), new AbortController()];
  const isFetching = parts.some(({ source }) => source.kind === 'url');
  const signal = AbortSignal.any([isFetching ? context.outwardSignal : context.signal, end.signal]);
  const intake = new FileIntake(context, signal, late.signal);
  const timer =
    canAwait && context.seal
      ? clock.setTimer(() => late.abort(), awaitAfterMs)
      : clock.setTimer(() => end.abort(tooSlow()), totalTimeoutMs);
  const work = async () => {
    try {
      for (let part = queue.shift(); part !== undefined; part = queue.shift()) await intake.take(part);
    } catch (error) {
      // The other files are no longer needed.
      end.abort(error);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    timer.cancel();
  }
  signal.throwIfAborted();
  return intake.list(parts);
}
