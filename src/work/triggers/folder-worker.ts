import { Fault } from '@errand/base/fault.ts';
import { type FileBody, findRoot, mayPassLater, readSegments, type WatchRoots } from '../../rules/triggers/watched-folder.ts';
import type { FoundTrigger } from '../../store/triggers/triggers.ts';
import { endLook, type Look, passFile } from '../../store/triggers/watched-folders.ts';
import { FileChanged, FolderProblem, OpenFolder, type SeenFile } from '../../store/triggers/folder-files.ts';
import { LookWorker, type LookWorkerParts } from './look-worker.ts';

/** How long a file must not have changed before it is taken. */
export const settleMs = 20_000;
/** Time between two looks at a folder, and after a file that could not be taken. */
const [lookMs, retryMs] = [15_000, 60_000];
const filesPerLook = 20;
/** Characters of a problem that is kept. */
const longestProblem = 500;
/** Longer than a look usually takes; after it, another worker may begin one. */
const leaseMs = 300_000;

/** A file with what reads it. */
export interface TakenFile {
  body: FileBody;
  read(): AsyncIterable<Uint8Array>;
}

export interface FolderWorkerParts extends LookWorkerParts {
  roots: WatchRoots;
  /** Starts the task of a file once. Rejects with a fault whose outcome is recorded, or as `read` does. */
  fire(trigger: FoundTrigger, file: TakenFile, signal: AbortSignal): Promise<void>;
}

/** Describes a file to its trigger. Every process describes the same state of a file equally. */
function describeFile({ root, path }: { root: string; path: string }, { name, bytes, modifiedAtMs }: SeenFile): FileBody {
  const below = path === '' ? name : `${path}/${name}`;
  const modified = new Date(modifiedAtMs).toISOString();
  const id = JSON.stringify([root, below, bytes, modifiedAtMs]);
  return { id, name, path: below, root, size_bytes: bytes, modified_at: modified };
}

/** Why a file waits, in words for the owner of its trigger. */
function explainWait({ path }: FileBody, fault: Fault): string {
  const { message } = fault.cause instanceof Fault ? fault.cause : fault;
  return `The file ${path} waits and is tried again every minute: ${message}`.slice(0, longestProblem);
}

/** Looks at the folders of triggers, and starts tasks with the files that are new. */
export class FolderWorker extends LookWorker {
  readonly #parts: FolderWorkerParts;

  constructor(parts: FolderWorkerParts) {
    super(parts, { type: 'folder', leaseMs });
    this.#parts = parts;
  }

  protected async look(look: Look): Promise<void> {
    const { database, log } = this.#parts;
    const { accountId, id: triggerId } = look.trigger;
    const key = { accountId, triggerId, lookAtMs: look.lookAtMs };
    try {
      const problem = await this.#takeFiles(look);
      await database.run(endLook, { ...key, waitMs: problem === null ? lookMs : retryMs, problem });
    } catch (error) {
      const isKnown = error instanceof FolderProblem;
      if (!isKnown) log.warn({ err: error, trigger_id: triggerId }, 'a folder could not be looked at; it is tried again');
      const problem = isKnown ? error.message : 'The service could not look at the folder; it tries again.';
      await database.run(endLook, { ...key, waitMs: retryMs, problem });
    }
  }

  /** Why a file has to wait, and those after it; null if none has. */
  async #takeFiles({ trigger, lookAtMs, ...seen }: Look): Promise<string | null> {
    const { database, clock, roots } = this.#parts;
    const { accountId, id: triggerId, watched, updatedAtMs: knownAtMs } = trigger;
    const root = watched && findRoot(roots, watched.root, accountId);
    const segments = watched && readSegments(watched.path);
    if (!watched || root === null || !segments)
      throw new FolderProblem('The operator no longer lets accounts watch this folder.');
    await using folder = await OpenFolder.open(root, segments);
    const window = {
      afterMs: seen.seenAtMs,
      afterName: seen.seenName,
      untilMs: clock.now() - settleMs,
      pattern: watched.pattern,
    };
    for (const file of await folder.findNew(window, filesPerLook)) {
      if (this.signal.aborted) return null;
      const problem = await this.#take(trigger, { body: describeFile(watched, file), read: () => folder.read(file) });
      if (problem !== null) return problem;
      const passed = { accountId, triggerId, lookAtMs, knownAtMs, seenAtMs: file.changedAtMs, seenName: file.name };
      // Changed, paused, or taken over: whoever looks next continues from what was passed.
      if (!(await database.run(passFile, passed))) return null;
    }
    return null;
  }

  /** Null once the file is over: its outcome is recorded, or its next state will be found. Otherwise why it has to wait. */
  async #take(trigger: FoundTrigger, file: TakenFile): Promise<string | null> {
    try {
      await this.#parts.fire(trigger, file, this.signal);
      return null;
    } catch (error) {
      if (error instanceof FileChanged) return null;
      if (!(error instanceof Fault)) throw error;
      return mayPassLater(error) ? explainWait(file.body, error) : null;
    }
  }
}
