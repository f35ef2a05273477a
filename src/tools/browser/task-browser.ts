import type { Clock, Timer } from '@errand/base/clock.ts';
import type { GcraLimiter } from '@errand/base/load/gcra-limiter.ts';
import type { Log } from '@errand/base/log.ts';
import type { Broadcast } from '@errand/base/signals/broadcast.ts';
import type { Sandbox } from '@errand/sandbox';
import { finishWithinQuota } from '@errand/sandbox/workspace-size';
import { logConnectedHost, nameCall } from '../commands/connected-hosts-log.ts';
import { connectToSandbox } from '../commands/sandbox-call.ts';
import type { TaskResource } from '../toolbox/task-resources.ts';
import type { ToolContext } from '../toolbox/tool.ts';
import type { BrowserPicture } from '../../rules/browser/live-browser.ts';
import { createBrowserEgress } from './browser-egress.ts';
import type { Browsed, BrowserReport, BrowserSession } from './browser-messages.ts';
import type { BrowserPool, Pooled } from './browser-pool.ts';
import { BrowserProcess } from './browser-process.ts';
import type { BrowserSessionFile } from './browser-session-file.ts';
import { LiveBrowser } from './live-browser.ts';
import type { BrowserStep } from './browser-step.ts';

/** A browser that nobody has used for longer is not worth its memory. */
const idleMs = 5 * 60_000;
/** A step takes at most some twenty seconds, and none begins after the first of these. */
const budgetMs = 90_000;
const callMs = 150_000;
const saveMs = 30_000;
const mostHosts = 1_000;
const tooLong = 'The browser took too long and was ended. It goes on with the next call; do less at a time.';

export interface TaskBrowserParts {
  sandbox: Sandbox;
  /** Path of the Chromium executable. */
  program: string;
  clock: Clock;
  log: Log;
  pool: BrowserPool;
  file: BrowserSessionFile;
  /** Where people who look at it are heard, and how much they are shown. */
  channel: Broadcast | null;
  pace: GcraLimiter;
}

/**
 * The browser of one task. It runs from the first call until it has been idle for long or the task is given up; later calls resume where it
 * was.
 */
export class TaskBrowser implements TaskResource, Pooled {
  readonly accountId: string;
  readonly live: LiveBrowser;
  readonly #parts: TaskBrowserParts;
  readonly #context: ToolContext;
  #process: BrowserProcess | null = null;
  #session: BrowserSession | null = null;
  #hosts: string[] = [];
  #hasReadFiles = false;
  #isRead = false;
  #isSpent = false;
  #hasReported = false;
  #isBusy = false;
  #idle: Timer | null = null;
  /** What the driver has said beside the calls of the agent, who has not read it yet. */
  #unread: string[] = [];
  /** Settles when what a person did in it is kept. */
  #saving: Promise<void> = Promise.resolve();
  #isSaving = false;

  /** @param context that of the first call */
  constructor(parts: TaskBrowserParts, context: ToolContext) {
    this.#parts = parts;
    this.#context = context;
    this.accountId = context.accountId;
    const { accountId, taskId } = context;
    this.live = new LiveBrowser({
      ...{ accountId, taskId, channel: parts.channel, clock: parts.clock, pace: parts.pace },
      command: (command) => this.#process?.command(command),
      mayTake: () => parts.pool.mayTake(),
      onFree: () => {
        this.#saving = this.#save();
        this.#awaitIdleness();
        parts.pool.noteIdle();
      },
    });
  }

  get isBusy(): boolean {
    return this.#isBusy || this.#isSaving || this.live.isTaken;
  }

  get isTaken(): boolean {
    return this.live.isTaken;
  }

  /** Empty: a browser needs no report when it ends, because it resumes automatically. */
  list(): [] {
    return [];
  }

  listKnown(): [] {
    return [];
  }

  /** Performs steps until one fails. One call at a time. @param readsFiles whether they show or send files of the workspace */
  async use(steps: readonly BrowserStep[], readsFiles: boolean, context: ToolContext): Promise<Browsed> {
    const { clock, pool } = this.#parts;
    this.#idle?.cancel();
    this.#isBusy = true;
    await this.#saving;
    this.live.setCalled(true);
    const stop = () => void this.putAway();
    context.signal.addEventListener('abort', stop, { once: true });
    let timer: Timer | undefined;
    try {
      await this.#readKept(context);
      this.#hasReadFiles ||= readsFiles;
      await pool.admit(this, context.signal);
      timer = clock.setTimer(() => void this.#process?.close(tooLong), callMs);
      // Each time, for what the account stores now.
      await context.workspace.quota?.prepare();
      context.signal.throwIfAborted();
      const exceeded = this.#process?.exceeded ?? null;
      const report = await this.#open().call({ steps, opensWorkspace: this.#hasReadFiles, budgetMs });
      this.#session = report.session;
      this.#hasReported = true;
      const isWithinQuota = await finishWithinQuota(context.workspace);
      const notes = [...this.#unread.splice(0), ...report.notes];
      return {
        report: this.#conceal({ ...report, notes }),
        hasReadFiles: this.#hasReadFiles,
        isKept: await this.#keep(report.session, context),
        isWithinQuota,
        exceeded,
      };
    } catch (error) {
      context.signal.throwIfAborted();
      // What it was to begin with may be what ends it.
      if (!this.#hasReported && this.#session) this.#session = { ...this.#session, tabs: [], active: 0 };
      throw error;
    } finally {
      timer?.cancel();
      context.signal.removeEventListener('abort', stop);
      this.#isBusy = false;
      this.live.setCalled(false);
      pool.noteIdle();
      await this.#rest();
    }
  }

  async putAway(): Promise<void> {
    const process = this.#process;
    this.#process = null;
    this.#parts.pool.remove(this);
    this.live.setOpen(false);
    await process?.close();
  }

  async close(): Promise<void> {
    this.#idle?.cancel();
    await this.putAway();
    this.live.close();
    await this.#saving;
  }

  #keep(session: BrowserSession, context: ToolContext): Promise<boolean> {
    const kept = { session, hosts: this.#hosts.slice(0, mostHosts), hasReadFiles: this.#hasReadFiles };
    return this.#parts.file.write(context, kept);
  }

  /** Keeps what a person did, such as a sign-in, whether or not the agent uses the browser again. A call that runs keeps it itself. */
  async #save(): Promise<void> {
    const process = this.#process;
    if (this.#isBusy || process?.isOpen !== true) return;
    this.#isSaving = true;
    const timer = this.#parts.clock.setTimer(() => void process.close(tooLong), saveMs);
    try {
      const { session, notes } = await process.call({ steps: [], opensWorkspace: this.#hasReadFiles, budgetMs });
      this.#session = session;
      this.#unread.push(...notes);
      await this.#keep(session, this.#context);
    } catch {
      // The browser has ended. It begins again with what was kept before.
    } finally {
      timer.cancel();
      this.#isSaving = false;
    }
  }

  /** Hides from the model what a person has typed, wherever a page repeats it. */
  #conceal({ session, ...said }: BrowserReport): BrowserReport {
    return { ...this.live.typed.conceal(said), session };
  }

  async #readKept(context: ToolContext): Promise<void> {
    if (this.#isRead) return;
    this.#isRead = true;
    const kept = await this.#parts.file.read(context);
    if (!kept) return;
    this.#session = kept.session;
    this.#hosts = [...kept.hosts];
    this.#hasReadFiles = kept.hasReadFiles;
  }

  #open(): BrowserProcess {
    if (this.#process?.isOpen === true) return this.#process;
    const { sandbox, program, log, clock } = this.#parts;
    const { workspace, resources, egressGuard } = this.#context;
    this.#isSpent = false;
    this.#hasReported = false;
    const egress = createBrowserEgress(
      {
        guardOf: () => resources.guard ?? egressGuard,
        hasReadFiles: () => this.#hasReadFiles,
        openPort: (port) => this.#openPort(port),
        onConnect: logConnectedHost(log, nameCall(this.#context)),
        onSpent: () => (this.#isSpent = true),
      },
      this.#hosts,
    );
    const onPicture = (picture: BrowserPicture) => this.live.show(picture);
    const opened = new BrowserProcess({ sandbox, program, workspace, egress, session: this.#session, clock, onPicture });
    this.#process = opened;
    this.live.setOpen(true);
    void opened.ended.then(() => this.#process === opened && this.live.setOpen(false));
    return opened;
  }

  /** What a server of the task shows can be a file of its workspace. */
  async #openPort(port: number) {
    const socket = await connectToSandbox(this.#context.resources, port);
    this.#hasReadFiles = true;
    return socket;
  }

  /** Runs after each call: watches for idleness, and closes a browser that has ended or used up its limits. */
  async #rest(): Promise<void> {
    if (this.#process?.isOpen !== true || this.#isSpent) {
      await this.putAway();
      return;
    }
    this.#awaitIdleness();
  }

  #awaitIdleness(): void {
    this.#idle?.cancel();
    if (this.#process === null) return;
    this.#idle = this.#parts.clock.setTimer(() => {
      if (!this.isBusy) void this.putAway();
    }, idleMs);
  }
}
