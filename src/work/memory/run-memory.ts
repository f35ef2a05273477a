import type { MemoryFacts, MemoryUse, RunMemory } from '../../agent/agent-ports.ts';
import { LeaseLost } from '../../agent/journal.ts';
import type { Clock } from '@errand/base/clock.ts';
import { defaultAgentId } from '../../rules/agents/default-agent.ts';
import type { Taint, Trust } from '../../rules/egress/trust.ts';
import type { TaskConfig } from '../../rules/events/task-event.ts';
import type { MemoryPlace } from '../../rules/memory/memory-scope.ts';
import type { Database } from '../../store/db/database.ts';
import { type LoadedStore, loadMemory } from '../../store/memory/memory-reads.ts';
import { saveTaskMemory, type TaskMemoryOutcome } from '../../store/memory/task-memory.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import type { Workspaces } from '@errand/sandbox/workspaces';
import { memoryMount } from '@errand/sandbox/workspace-path';
import { type FolderChange, MemoryFolder } from './memory-folder.ts';
import { addMemory } from './memory-workspace.ts';
import { nameMemoryFolder } from '../instance/stale-memory.ts';

/** Where a text goes that could not be saved. */
const rescueFolder = 'memory-not-saved';

/** The stores of a task, in the order in which the task is told about them. */
export function placesOf(accountId: string, { projectId, persona, memory }: TaskConfig): MemoryPlace[] {
  if (memory === 'off') return [];
  return [
    { scope: 'account', scopeId: '' },
    ...(projectId === undefined ? [] : [{ scope: 'project' as const, scopeId: projectId }]),
    ...(persona === undefined ? [] : [{ scope: 'agent' as const, scopeId: defaultAgentId(accountId) }]),
  ];
}

export interface RunMemoryParts {
  database: Database;
  /** The folders that tasks see as /memory, for the time of their runs. */
  folders: Workspaces;
  clock: Clock;
}

/** `hasMemories`: whether anybody had written to a store of the account when the task was claimed. */
type MemoryLease = Lease & { hasMemories: boolean };

/** The memory of one task during one run; the folder is made when a call first uses it, and removed with the run. */
export class LeasedMemory implements RunMemory {
  readonly #parts: RunMemoryParts;
  readonly #lease: MemoryLease;
  readonly #places: readonly MemoryPlace[];
  readonly #revisions = new Map<string, number>();
  #loaded: LoadedStore[] = [];
  #folder: MemoryFolder | null = null;
  /** What the next call has to report of what was written before it. */
  #notes: string[] = [];
  #lastOpening: Promise<unknown> = Promise.resolve();

  constructor(parts: RunMemoryParts, lease: MemoryLease, taskConfig: TaskConfig) {
    this.#parts = parts;
    this.#lease = lease;
    this.#places = placesOf(lease.accountId, taskConfig);
  }

  async describe(): Promise<MemoryFacts | null> {
    if (this.#places.length === 0) return null;
    if (this.#lease.hasMemories) await this.#load();
    const files = this.#loaded.flatMap(({ scope, files: inStore }) =>
      inStore.map(({ path, bytes, untrusted }) => ({ path: `${memoryMount}/${scope}/${path}`, bytes, isUntrusted: untrusted })),
    );
    return { scopes: this.#places.map(({ scope }) => scope), files };
  }

  /** Returns what has changed since the last time. */
  async #load(): Promise<LoadedStore[]> {
    const { accountId } = this.#lease;
    const known = this.#places.map((place) => ({ ...place, revision: this.#revisions.get(place.scope) ?? 0 }));
    const changed = await this.#parts.database.run(loadMemory, { accountId, known });
    for (const store of changed) {
      this.#revisions.set(store.scope, store.revision);
      this.#loaded = [...this.#loaded.filter(({ scope }) => scope !== store.scope), store];
    }
    return changed;
  }

  /** The folder with the current files. Calls that run side by side open it one after another. */
  #open(workspace: Workspace, trust: () => Trust): Promise<MemoryFolder> {
    const lay = () => this.#layFiles(workspace, trust);
    const opening = this.#lastOpening.then(lay, lay);
    this.#lastOpening = opening;
    return opening;
  }

  async #layFiles(workspace: Workspace, trust: () => Trust): Promise<MemoryFolder> {
    const { accountId } = this.#lease;
    const changed = await this.#load();
    if (this.#folder && changed.length === 0) return this.#folder;
    // Processes in the background may have written since the last call; new files are not laid over that.
    if (this.#folder) this.#notes.push(...(await this.#saveFolder(this.#folder, workspace, trust())));
    else this.#folder = new MemoryFolder(this.#parts.folders.open(accountId, nameMemoryFolder(this.#lease)), this.#places);
    await this.#folder.lay(this.#loaded);
    return this.#folder;
  }

  use(workspace: Workspace, trust: () => Trust): MemoryUse | null {
    if (this.#places.length === 0) return null;
    const taints = new Set<Taint>();
    let opening: Promise<MemoryFolder> | null = null;
    let folder: MemoryFolder | null = null;
    const open = async () => {
      opening ??= this.#open(workspace, trust);
      folder = await opening;
      return folder;
    };
    const noteRead = (path: string) => {
      for (const file of folder?.filesBelow(path) ?? []) {
        if (file.untrusted) taints.add('untrusted');
        if (file.private) taints.add('private');
      }
    };
    const scopes = this.#places.map(({ scope }) => scope);
    return {
      workspace: addMemory(workspace, { scopes, noteRead, open: async () => (await open()).workspace }),
      taints: () => [...taints],
      mount: async () => {
        const { root } = (await open()).workspace;
        // A command may read all of it.
        noteRead('.');
        return root;
      },
      save: async (read) => (opening ? this.#saveCall(await opening, workspace, read) : []),
    };
  }

  async #saveCall(folder: MemoryFolder, workspace: Workspace, trust: Trust): Promise<string[]> {
    const notes = await this.#saveFolder(folder, workspace, trust);
    return [...this.#notes.splice(0), ...notes];
  }

  /** Whether a call has used it, so that there may be something to save. */
  get isUsed(): boolean {
    return this.#folder !== null;
  }

  /** Saves what was written since the last call, as by processes in the background; what cannot be saved is kept in the workspace. */
  async saveRest(workspace: Workspace, trust: Trust): Promise<void> {
    if (this.#folder) await this.#saveFolder(this.#folder, workspace, trust);
  }

  /** Saves what a call has changed; returns what the model has to know about it. */
  async #saveFolder(folder: MemoryFolder, workspace: Workspace, trust: Trust): Promise<string[]> {
    const { changes, misfits } = await folder.findChanges();
    if (changes.length + misfits.length === 0) return [];
    const notes: string[] = [];
    for (const { place, problem, bytes } of misfits) {
      const rescued = bytes ? await this.#rescue(workspace, place, bytes) : '';
      notes.push(`${memoryMount}/${place} was not kept: ${problem}.${rescued}`);
    }
    if (changes.length > 0) {
      const outcomes = await this.#save(changes, trust);
      for (const [index, change] of changes.entries()) {
        const outcome = outcomes[index];
        if (outcome) notes.push(...(await this.#explain(workspace, change, outcome)));
      }
    }
    await this.#load();
    await folder.lay(this.#loaded);
    return notes;
  }

  async #save(changes: readonly FolderChange[], { isUntrusted, isPrivate }: Trust): Promise<TaskMemoryOutcome[]> {
    const { accountId, taskId, fence } = this.#lease;
    const outcomes = await this.#parts.database.run(saveTaskMemory, {
      ...{ accountId, taskId, fence, untrusted: isUntrusted, private: isPrivate, now: this.#parts.clock.now() },
      changes,
    });
    if (outcomes === null) throw new LeaseLost();
    return outcomes;
  }

  async #explain(workspace: Workspace, { place, content }: FolderChange, outcome: TaskMemoryOutcome): Promise<string[]> {
    if (outcome.result === 'saved') return [];
    const rescued = content === null ? '' : await this.#rescue(workspace, place, Buffer.from(content));
    if (outcome.result === 'refused') return [`${memoryMount}/${place} was not saved: ${outcome.reason}${rescued}`];
    if (outcome.content === content) return [];
    const found =
      outcome.content === null ? 'deleted it' : `written it (version ${outcome.version}), and their text is there now`;
    return [
      `${memoryMount}/${place} was not saved: meanwhile somebody else has ${found}.${rescued} Merge both, and write it again.`,
    ];
  }

  async #rescue(workspace: Workspace, place: string, content: Buffer): Promise<string> {
    const path = `${rescueFolder}/${place}`;
    const isRescued = await workspace.write(path, content).then(
      () => true,
      () => false,
    );
    return isRescued ? ` What you wrote is in ${path}.` : '';
  }

  async close(): Promise<void> {
    if (this.#folder) await this.#parts.folders.remove(this.#lease.accountId, nameMemoryFolder(this.#lease));
  }
}
