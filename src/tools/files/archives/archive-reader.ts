import { basename, extname } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import { type Entrant, FairGate } from '@errand/base/load/fair-gate.ts';
import { runReadingThread, startReaderThread } from '../reader-threads/reader-thread.ts';
import { archiveLimits } from './archive-limits.ts';
import type { ArchiveAnswer, ArchivePiece, ArchiveQuestion } from './archive-question.ts';
import { Channel } from './chunk-channel.ts';

/** Reads archives in a thread. Unreadable ones are a Fault that can be shown to a model. */
export interface ArchiveReader {
  list(workspace: Workspace, path: string, format: ArchiveQuestion['format'], reader: Entrant): Promise<ArchiveAnswer>;
  /** Writes the content into the folder `into`, which must not exist yet, and does not exist if this rejects. */
  unpack(
    workspace: Workspace,
    path: string,
    format: ArchiveQuestion['format'],
    into: string,
    reader: Entrant,
  ): Promise<ArchiveAnswer>;
}

const maxThreads = 2;
const deadlineMs = 120_000;
const memoryMb = 64;

const file = new URL(`./archive-worker${extname(import.meta.url)}`, import.meta.url);

/** Writes the files received from the thread, one after another. */
class EntryWriter {
  readonly #workspace: Workspace;
  readonly #into: string;
  #channel = new Channel();
  #saving: Promise<unknown> = Promise.resolve();

  constructor(workspace: Workspace, into: string) {
    this.#workspace = workspace;
    this.#into = into;
  }

  async take(piece: ArchivePiece): Promise<void> {
    if (piece === 'end') {
      this.#channel.end();
      await this.#saving;
    } else if ('path' in piece) {
      this.#channel = new Channel();
      this.#saving = this.#workspace.receive(`${this.#into}/${piece.path}`, this.#channel, archiveLimits.entryBytes);
      this.#saving.catch(() => undefined);
    } else {
      // After a failed write, nothing more is accepted.
      await Promise.race([this.#channel.push(piece.chunk), this.#saving]);
    }
  }

  /** Closes the current file and deletes everything written. */
  async undo(): Promise<void> {
    this.#channel.fail(new Error('the archive was given up'));
    await this.#saving.catch(() => undefined);
    await this.#workspace.remove(this.#into);
  }
}

export function createArchiveReader(clock: Clock): ArchiveReader {
  const slots = new FairGate({ capacity: maxThreads });

  function ask(
    workspace: Workspace,
    path: string,
    question: Pick<ArchiveQuestion, 'format' | 'wants'>,
    reader: Entrant,
    takePiece?: (piece: ArchivePiece) => Promise<void>,
  ): Promise<ArchiveAnswer> {
    return slots.run(reader, async () => {
      await using held = await workspace.hold(path);
      const plainName = basename(path).replace(/\.t?gz$/i, '') || 'content';
      const data: ArchiveQuestion = { ...question, descriptor: held.descriptor, bytes: held.bytes, plainName };
      reader.signal.throwIfAborted();
      const thread = startReaderThread({ file, memoryMb });
      return await runReadingThread(clock, { thread, data, deadlineMs, ...(takePiece && { takePiece }) }, reader.signal);
    });
  }

  return {
    list: (workspace, path, format, reader) => ask(workspace, path, { format, wants: 'list' }, reader),
    async unpack(workspace, path, format, into, reader) {
      const writer = new EntryWriter(workspace, into);
      try {
        return await ask(workspace, path, { format, wants: 'content' }, reader, (piece) => writer.take(piece));
      } catch (error) {
        await writer.undo();
        throw error;
      }
    },
  };
}
