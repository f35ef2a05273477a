import { lstat, lutimes, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Fault } from '@errand/base/fault.ts';
import { systemErrorCode } from './file-fault.ts';
import { HeldFolder } from './held-folder.ts';
import { type LeftOut, readLeftOut, writeLeftOut } from './left-out.ts';
import { asideEnding, removeAside, removeFolder, removeStaleFolder } from './stale-folder.ts';
import { openWorkspace, type WorkspaceOptions } from './workspace-folder.ts';
import type { Workspace, WorkspaceQuota } from './workspace.ts';

export interface WorkspaceOwner {
  accountId: string;
  taskId: string;
}

/** The workspaces of all tasks, one folder each: `<folder>/<account>/<task>`. */
export interface Workspaces {
  open(accountId: string, taskId: string): Workspace;
  /** The owners of all workspaces, unordered. */
  list(): Promise<WorkspaceOwner[]>;
  /** The copy that this folder is based on: null without a folder, 0 without a copy. */
  generation(accountId: string, taskId: string): Promise<number | null>;
  setGeneration(accountId: string, taskId: string, generation: number): Promise<void>;
  /** When something was last added to the folder itself, or removed from it, in milliseconds since the epoch; null without a folder. */
  changedAt(accountId: string, taskId: string): Promise<number | null>;
  /** Sets that time, if there is a folder. */
  touch(accountId: string, taskId: string, atMs: number): Promise<void>;
  /** What the folder lacks since it was restored from a copy, until it is set to null because that was reported. */
  leftOut(accountId: string, taskId: string): Promise<LeftOut | null>;
  setLeftOut(accountId: string, taskId: string, leftOut: LeftOut | null): Promise<void>;
  /**
   * Removes a folder that is based on an earlier copy than `newest` and has been left alone since `beforeMs`; returns whether it did. No
   * worker may hold the task.
   */
  removeStale(accountId: string, taskId: string, newest: number, beforeMs: number): Promise<boolean>;
  /** Permanently removes a task's workspace, if it exists. All tools of the task must have ended. */
  remove(accountId: string, taskId: string): Promise<void>;
}

/** Suffix of the note next to a folder, out of reach of tool code: the generation of the copy that the folder is based on. */
const noteEnding = '.copy';

/** Suffix of a second note, which is there until it has been reported: what the folder lacks since it was restored. */
const leftOutEnding = '.left-out';

const safeId = /^[0-9A-Za-z_-]{1,64}$/;

/** Ids come from the store, not from callers; an invalid one is a bug, and must not become a path. */
function checkId(id: string): string {
  if (safeId.test(id)) return id;
  throw new Fault('internal', 'The workspace cannot be opened.', { detail: `unsafe id ${JSON.stringify(id)}` });
}

/** Null if it does not exist. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function writeNote(note: string, text: string): Promise<void> {
  await mkdir(dirname(note), { recursive: true, mode: 0o700 });
  await writeFile(`${note}.new`, text, { mode: 0o600, flush: true });
  await rename(`${note}.new`, note);
}

const asideSuffix = new RegExp(`\\${asideEnding}$`);

/** The ids of tasks, or of accounts, to which entries in a folder of ours belong. */
async function listIds(folder: string): Promise<string[]> {
  const entries = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  const ids = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name.replace(asideSuffix, '')] : []));
  return [...new Set(ids)].filter((id) => safeId.test(id));
}

export interface WorkspacesOptions extends Omit<WorkspaceOptions, 'quota'> {
  /** The quota of a workspace; none by default. */
  quotaOf?(accountId: string, taskId: string): WorkspaceQuota;
}

type Notes = Pick<Workspaces, 'generation' | 'setGeneration' | 'changedAt' | 'touch' | 'leftOut' | 'setLeftOut'>;

/** What is known of folders without looking into them. */
function createNotes(locate: (accountId: string, taskId: string) => string): Notes {
  return {
    async generation(accountId, taskId) {
      const place = locate(accountId, taskId);
      if (!(await unlessMissing(lstat(place)))) return null;
      const noted = await unlessMissing(readFile(place + noteEnding, 'utf8'));
      return noted === null ? 0 : Number(noted);
    },

    async setGeneration(accountId, taskId, generation) {
      await writeNote(locate(accountId, taskId) + noteEnding, String(generation));
    },

    async changedAt(accountId, taskId) {
      return (await unlessMissing(lstat(locate(accountId, taskId))))?.mtimeMs ?? null;
    },

    async touch(accountId, taskId, atMs) {
      await unlessMissing(lutimes(locate(accountId, taskId), atMs / 1000, atMs / 1000));
    },

    async leftOut(accountId, taskId) {
      const noted = await unlessMissing(readFile(locate(accountId, taskId) + leftOutEnding, 'utf8'));
      return noted === null ? null : readLeftOut(noted);
    },

    async setLeftOut(accountId, taskId, leftOut) {
      const note = locate(accountId, taskId) + leftOutEnding;
      await (leftOut ? writeNote(note, writeLeftOut(leftOut)) : rm(note, { force: true }));
    },
  };
}

/** The workspaces in `folder`, which need not exist yet. */
export function createWorkspaces(folder: string, { quotaOf, ...options }: WorkspacesOptions = {}): Workspaces {
  const top = resolve(folder);
  const locate = (accountId: string, taskId: string) => join(top, checkId(accountId), checkId(taskId));
  return {
    ...createNotes(locate),

    open(accountId, taskId) {
      const quota = quotaOf?.(accountId, taskId);
      return openWorkspace(locate(accountId, taskId), { ...options, ...(quota && { quota }) });
    },

    async list() {
      const owners: WorkspaceOwner[] = [];
      for (const accountId of await listIds(top)) {
        for (const taskId of await listIds(join(top, accountId))) owners.push({ accountId, taskId });
      }
      return owners;
    },

    async remove(accountId, taskId) {
      for (const ending of [noteEnding, leftOutEnding]) await rm(locate(accountId, taskId) + ending, { force: true });
      await using account = await unlessMissing(HeldFolder.hold(join(top, checkId(accountId)), options.addressing));
      if (!account) return;
      await removeAside(account, taskId);
      if (await unlessMissing(lstat(account.at(taskId)))) await removeFolder(account, taskId);
    },

    async removeStale(accountId, taskId, newest, beforeMs) {
      await using account = await unlessMissing(HeldFolder.hold(join(top, accountId), options.addressing));
      if (!account) return false;
      await removeAside(account, taskId);
      if (((await this.generation(accountId, taskId)) ?? newest) >= newest) return false;
      if (!(await removeStaleFolder(account, taskId, beforeMs))) return false;
      // Unless a worker has restored a newer copy since.
      if (Number(await unlessMissing(readFile(account.at(taskId + noteEnding), 'utf8'))) < newest) {
        for (const ending of [noteEnding, leftOutEnding]) await rm(account.at(taskId + ending), { force: true });
      }
      return true;
    },
  };
}
