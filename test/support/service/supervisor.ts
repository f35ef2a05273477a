import { fileURLToPath } from 'node:url';
import { Child, type Exit, type OutputLine } from '../process/child.ts';
import { compiledCode, program } from '../process/compiled-code.ts';
import { removeFolder } from '../process/leftovers.ts';
import { createDataFolder } from './data-folder.ts';
import { findQuietPorts } from './quiet-port.ts';
import { isEntry, type LogEntry, parseEntry, testSettings } from './service-settings.ts';

export interface ServiceOptions {
  /** Settings beside the ones that keep a test service to itself; they win over those. */
  env?: Record<string, string>;
  /** The folder of an earlier service, or of a second one beside it; it stays when this one ends. Without it, a new one. */
  dataDir?: string;
  /** Arguments after `serve`, such as `['--role', 'worker']`. */
  args?: readonly string[];
  /** The script that node runs instead of the service, relative to the checkout. */
  script?: string;
}

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const alive = new Set<ServiceProcess>();

/** The service as its users run it, in a separate process: called over HTTP, killed, paused, and restarted. */
export class ServiceProcess {
  readonly dataDir: string;
  readonly #ownsDataDir: boolean;
  readonly #command: readonly string[];
  #env: Record<string, string>;
  #child: Child | null = null;
  #ready: LogEntry = {};
  readonly #earlierLines: OutputLine[] = [];

  private constructor(options: ServiceOptions) {
    this.#ownsDataDir = options.dataDir === undefined;
    this.dataDir = options.dataDir ?? createDataFolder();
    const script = options.script ?? program;
    this.#command = [script, 'serve', ...(options.args ?? [])];
    this.#env = {
      ...testSettings(this.dataDir),
      ...compiledCode,
      ...options.env,
    };
  }

  /** A service that is ready; rejects with everything it wrote when it ends instead. It is gone after the test file. */
  static async start(options: ServiceOptions = {}): Promise<ServiceProcess> {
    const service = await ServiceProcess.#prepare(options);
    try {
      await service.#run();
      return service;
    } catch (error) {
      await service.end();
      throw error;
    }
  }

  /** Runs a service that is expected to refuse, and answers how it ended and what it wrote. */
  static async startRefused(options: ServiceOptions = {}): Promise<Exit & { lines: readonly OutputLine[] }> {
    const service = await ServiceProcess.#prepare(options);
    try {
      const child = await service.#spawn();
      return { ...(await child.ended), lines: child.lines };
    } finally {
      await service.end();
    }
  }

  static async #prepare(options: ServiceOptions): Promise<ServiceProcess> {
    const service = new ServiceProcess({ ...options, env: { ...(await findQuietPorts()), ...options.env } });
    alive.add(service);
    return service;
  }

  /** Address of the API; the same after a restart. */
  get url(): string {
    return String(this.#ready.url);
  }

  /** Address of the content origin; the same after a restart. */
  get contentUrl(): string {
    return String(this.#ready.content_url);
  }

  /** The first account's key. */
  get apiKey(): string {
    return String(this.#env.ERRAND_BOOTSTRAP_KEY);
  }

  get pid(): number {
    return this.#running.pid;
  }

  /** Everything the service has written, over all its lives. */
  get lines(): readonly OutputLine[] {
    return [...this.#earlierLines, ...(this.#child?.lines ?? [])];
  }

  /** The first log entry of this life, past or future, that matches. */
  async waitForLog(matches: (entry: LogEntry) => boolean): Promise<LogEntry> {
    return parseEntry(await this.#running.waitForLine(isEntry(matches))) ?? {};
  }

  /** Sends a signal and waits for the end. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Exit> {
    this.#running.signal(signal);
    return this.waitForExit();
  }

  /** How it ended, once it has. */
  async waitForExit(): Promise<Exit> {
    return this.#running.ended;
  }

  /** Stops the process where it stands, as a machine that has gone away for a while. */
  pause(): void {
    this.#running.signal('SIGSTOP');
  }

  /** Resumes a paused process. */
  resume(): void {
    this.#running.signal('SIGCONT');
  }

  /** Starts again on the same data and the same ports, after a kill or instead of it; `env` changes settings permanently. */
  async restart(env: Record<string, string> = {}): Promise<void> {
    await this.kill();
    this.#env = { ...this.#env, ...env };
    await this.#run();
  }

  /** Kills it if need be and removes its data, unless the folder was given. */
  async end(): Promise<void> {
    alive.delete(this);
    if (this.#child) await this.kill();
    if (this.#ownsDataDir) removeFolder(this.dataDir);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  get #running(): Child {
    if (!this.#child) throw new Error('the service was never started');
    return this.#child;
  }

  async #spawn(): Promise<Child> {
    if (this.#child) this.#earlierLines.push(...this.#child.lines);
    this.#child = await Child.start(process.execPath, this.#command, { env: this.#env, cwd: checkout });
    return this.#child;
  }

  async #run(): Promise<void> {
    await this.#spawn();
    this.#ready = await this.waitForLog(({ msg }) => msg === 'ready');
  }
}

/** Ends every service that is still there. */
export async function endServices(): Promise<void> {
  await Promise.all([...alive].map((service) => service.end()));
}
