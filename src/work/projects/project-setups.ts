import { type Clock, pause } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import type { Log } from '@errand/base/log.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import { completeFolder } from '@errand/sandbox/complete-folder';
import type { LeftOut } from '@errand/sandbox/left-out';
import type { Workspace } from '@errand/sandbox/workspace';
import type { Workspaces } from '@errand/sandbox/workspaces';
import type { StorageLimits } from '../../rules/files/storage-quota.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import type { ProjectKey } from '../../store/projects/project-key.ts';
import {
  claimProjectSetup,
  findProjectSetup,
  type RecordSetupArgs,
  recordProjectSetup,
  renewProjectSetup,
  type SetupRunKey,
} from '../../store/projects/project-setups.ts';
import { createSetupQuota } from './setup-quota.ts';

/** Loaded when a script first runs. */
const loadArchive = () => import('@errand/sandbox/workspace-archive');

/** A run that was not renewed for this long has ended with its worker. */
const ttlMs = 15_000;
const renewMs = 5_000;
/** How often a task looks whether a run that it waits for has ended. */
const pollMs = 250;
/** Tasks that begin within this time after a failed run do without its result; the next one tries it again. */
const retryMs = 10 * 60_000;
const maxBlobBytes = 1024 * 1024 * 1024;

/** Runs a script in a sandbox, in which the folder is the only one that it can change. */
export type RunSetupScript = (work: {
  folder: Pick<Workspace, 'root' | 'quota'>;
  script: string;
  accountId: string;
  projectId: string;
  signal: AbortSignal;
}) => Promise<{ hasSucceeded: boolean; output: string; isUntrusted: boolean }>;

export interface ProjectSetupsParts {
  database: Database;
  /** One folder for each run: `<account>/<project>-<run>`. A cache: each is complete, and removed when it was not used for a day. */
  folders: Workspaces;
  blobs: Pick<Blobs, 'put' | 'open'>;
  limits: StorageLimits;
  runScript: RunSetupScript;
  clock: Clock;
  log: Log;
}

/** What a task finds: a folder, or why there is none. */
export type FoundLayer = { folder: string; isUntrusted: boolean } | { folder: null; problem: string };

function describeLeftOut({ count, files }: LeftOut): string {
  const named = files.slice(0, 5).map(({ path, reason }) => `${path} (${reason})`);
  return `[failed: ${count} of its files cannot be kept: ${named.join(', ')}]`;
}

/**
 * Runs the setup scripts of projects, each once for all tasks and workers: the first task that needs it claims the run, the others wait. A
 * run works in a folder of its own, which nothing uses before the database says that it is complete; one that dies is begun anew.
 */
export class ProjectSetups implements Service {
  readonly name = 'project-setups';
  readonly #parts: ProjectSetupsParts;
  readonly #running = new Set<Promise<void>>();
  readonly #placing = new Map<string, Promise<string>>();
  #over = new AbortController();

  constructor(parts: ProjectSetupsParts) {
    this.#parts = parts;
  }

  start(): Promise<void> {
    if (this.#over.signal.aborted) this.#over = new AbortController();
    return Promise.resolve();
  }

  /** Ends the runs; the next worker that needs them starts them again. */
  async stop(): Promise<void> {
    this.#over.abort(new Error('the service is shutting down'));
    await Promise.all(this.#running);
  }

  /**
   * Waits until the script of the project has run; null if it has none.
   * @param report tells readers that it runs, once
   */
  async find(key: ProjectKey, signal: AbortSignal, report: (text: string) => void): Promise<FoundLayer | null> {
    const { database, clock } = this.#parts;
    for (let looks = 0; ; looks += 1) {
      signal.throwIfAborted();
      const found = await database.run(findProjectSetup, key);
      if (found === null) return null;
      const { script, setup } = found;
      if (setup?.status === 'ready' && setup.blobId !== null) {
        return { folder: await this.#place({ ...key, run: setup.run }, setup.blobId), isUntrusted: setup.untrusted };
      }
      const run = await database.run(claimProjectSetup, { ...key, script, ttlMs, retryMs });
      if (run === null && setup?.status === 'failed') return { folder: null, problem: setup.output };
      if (looks === 0) report('[the setup script of the project runs]\n');
      if (run !== null) this.#begin({ ...key, run }, script);
      await pause(clock, pollMs, signal);
    }
  }

  #begin(key: SetupRunKey, script: string): void {
    const running = this.#run(key, script).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  #nameOf({ projectId, run }: SetupRunKey): string {
    return `${projectId}-${run}`;
  }

  async #run(key: SetupRunKey, script: string): Promise<void> {
    const { database, folders, log } = this.#parts;
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#over.signal]);
    const keeping = this.#keep(key, over);
    let isKept = false;
    try {
      isKept = await this.#perform(key, script, signal);
    } catch (error) {
      // The next worker begins it anew, at once if this one shuts down.
      if (signal.aborted) await database.run(renewProjectSetup, { ...key, ttlMs: 0 }).catch(() => false);
      else log.warn({ err: error, project_id: key.projectId }, 'the end of a setup script could not be recorded; it runs again');
    } finally {
      over.abort();
      await keeping;
    }
    if (isKept) return;
    await folders.remove(key.accountId, this.#nameOf(key)).catch((error: unknown) => {
      log.warn({ err: error, project_id: key.projectId }, 'what a setup script left could not be removed; the sweeper will');
    });
  }

  /** Renews the run until it is over; ends it if another one has begun. */
  async #keep(key: SetupRunKey, over: AbortController): Promise<void> {
    const { database, clock } = this.#parts;
    for (;;) {
      await pause(clock, renewMs, over.signal);
      if (over.signal.aborted) return;
      if (!(await database.run(renewProjectSetup, { ...key, ttlMs }).catch(() => true))) over.abort(new Error('lost'));
    }
  }

  /** @returns whether its folder is what tasks use from now on */
  async #perform(key: SetupRunKey, script: string, signal: AbortSignal): Promise<boolean> {
    const { database, folders, limits, runScript, log } = this.#parts;
    const { accountId, projectId } = key;
    const { root } = folders.open(accountId, this.#nameOf(key));
    const quota = createSetupQuota(database, accountId, limits);
    let args: RecordSetupArgs;
    try {
      const done = await runScript({ folder: { root, quota }, script, accountId, projectId, signal });
      const { output, isUntrusted } = done;
      const stored = done.hasSucceeded ? await this.#store(accountId, root) : null;
      args = { ...key, made: null, output: stored?.problem === undefined ? output : `${output}\n${stored.problem}` };
      if (stored?.blobId !== undefined) args.made = { blobId: stored.blobId, use: quota.use, untrusted: isUntrusted };
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof Fault)) log.error({ err: error, project_id: projectId }, 'a setup script could not be run');
      const reason = error instanceof Fault ? error.message : 'the script could not be run; it is tried again later.';
      args = { ...key, made: null, output: `[failed: ${reason}]` };
    }
    return (await database.run(recordProjectSetup, args)) && args.made !== null;
  }

  async #store(accountId: string, root: string): Promise<{ blobId?: string; problem?: string }> {
    const { packWorkspace } = await loadArchive();
    const { content, leftOut } = packWorkspace(root);
    const { blobId } = await this.#parts.blobs.put(accountId, content, { maxBytes: maxBlobBytes });
    return leftOut().count > 0 ? { problem: describeLeftOut(leftOut()) } : { blobId };
  }

  /** The folder of a run on this machine, unpacked where it is missing. */
  #place(key: SetupRunKey, blobId: string): Promise<string> {
    const { root } = this.#parts.folders.open(key.accountId, this.#nameOf(key));
    const known = this.#placing.get(root);
    if (known) return known;
    const placing = this.#unpack(key, root, blobId).finally(() => this.#placing.delete(root));
    this.#placing.set(root, placing);
    return placing;
  }

  async #unpack(key: SetupRunKey, folder: string, blobId: string): Promise<string> {
    const { folders, blobs, clock } = this.#parts;
    const { accountId } = key;
    const name = `${this.#nameOf(key)}-${randomBase62(8)}`;
    const part = folders.open(accountId, name).root;
    const fill = async () => {
      const { unpackWorkspace } = await import('@errand/sandbox/workspace-unpacking');
      await unpackWorkspace(part, await blobs.open(accountId, blobId));
    };
    await completeFolder({ folder, part, fill, discard: () => folders.remove(accountId, name), nowMs: clock.now() });
    return folder;
  }
}
