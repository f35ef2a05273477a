import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { runErrand } from '../../../src/cli/index.ts';
import { removeFolder } from '../process/leftovers.ts';
import { type OutputLine, OutputLines } from '../process/output-lines.ts';
import { createDataFolder } from './data-folder.ts';
import { findQuietPorts } from './quiet-port.ts';
import { isEntry, type LogEntry, parseEntry, testSettings } from './service-settings.ts';

export interface LocalServiceOptions {
  /** Settings beside the ones that keep a test service to itself; they win over those. */
  env?: Record<string, string>;
  /** The folder of an earlier service; it stays when this one ends. Without it, a new one. */
  dataDir?: string;
  /** By default the system's. */
  clock?: Clock;
}

const alive = new Set<LocalService>();

/** One run of `errand serve`. */
class Life {
  readonly output = new OutputLines('the service inside the test');
  readonly #interrupt = new AbortController();
  readonly ended: Promise<string>;

  constructor(env: Record<string, string>, clock: Clock) {
    const [stdout, stderr] = [this.#collect('stdout'), this.#collect('stderr')];
    const host = { env, clock, stdin: Readable.from([]), stdout, stderr, nodeVersion: process.version.slice(1) };
    this.ended = runErrand(['serve'], { ...host, signal: this.#interrupt.signal }).then(async (code) => {
      await Promise.all([stdout, stderr].map((stream) => once(stream.end(), 'close')));
      return String(code);
    });
  }

  stop(): Promise<string> {
    this.#interrupt.abort();
    return this.ended;
  }

  #collect(source: OutputLine['source']): PassThrough {
    const stream = new PassThrough();
    createInterface({ input: stream }).on('line', (text) => this.output.add({ source, text }));
    return stream;
  }
}

/**
 * The service inside the process of the test, called over HTTP like one in a separate process. It starts twenty times
 * faster, because its code is loaded already, and can be stopped but not killed (that is `ServiceProcess`).
 */
export class LocalService {
  readonly dataDir: string;
  readonly #ownsDataDir: boolean;
  readonly #clock: Clock;
  #env: Record<string, string>;
  #life: Life | null = null;
  #ready: LogEntry = {};
  readonly #earlierLines: OutputLine[] = [];

  private constructor({ env, dataDir, clock = systemClock }: LocalServiceOptions) {
    this.#clock = clock;
    this.#ownsDataDir = dataDir === undefined;
    this.dataDir = dataDir ?? createDataFolder();
    this.#env = { ...testSettings(this.dataDir), ...env };
  }

  /** A service that is ready; rejects with everything it wrote when it ends instead. It is gone after the test file. */
  static async start(options: LocalServiceOptions = {}): Promise<LocalService> {
    const service = new LocalService({ ...options, env: { ...(await findQuietPorts()), ...options.env } });
    alive.add(service);
    await service.#run();
    return service;
  }

  /** Base URL of the API; the same after a restart. */
  get url(): string {
    return String(this.#ready.url);
  }

  /** Base URL of the content origin; the same after a restart. */
  get contentUrl(): string {
    return String(this.#ready.content_url);
  }

  /** The first account's key. */
  get apiKey(): string {
    return String(this.#env.ERRAND_BOOTSTRAP_KEY);
  }

  /** Everything the service has written, over all its lives. */
  get lines(): readonly OutputLine[] {
    return [...this.#earlierLines, ...(this.#life?.output.lines ?? [])];
  }

  /** The first log entry of this life, past or future, that matches. */
  async waitForLog(matches: (entry: LogEntry) => boolean): Promise<LogEntry> {
    if (!this.#life) throw new Error('the service is stopped');
    return parseEntry(await this.#life.output.waitForLine(isEntry(matches), this.#life.ended)) ?? {};
  }

  /** An orderly end, as after SIGTERM. */
  async stop(): Promise<void> {
    if (!this.#life) return;
    await this.#life.stop();
    this.#earlierLines.push(...this.#life.output.lines);
    this.#life = null;
  }

  /** Starts again on the same data and the same ports; `env` changes settings permanently. */
  async restart(env: Record<string, string> = {}): Promise<void> {
    await this.stop();
    this.#env = { ...this.#env, ...env };
    await this.#run();
  }

  /** Stops it if need be and removes its data, unless the folder was given. */
  async end(): Promise<void> {
    alive.delete(this);
    await this.stop();
    if (this.#ownsDataDir) removeFolder(this.dataDir);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #run(): Promise<void> {
    this.#life = new Life(this.#env, this.#clock);
    this.#ready = await this.waitForLog(({ msg }) => msg === 'ready');
  }
}

/** Ends every service that is still there. */
export async function endLocalServices(): Promise<void> {
  await Promise.all([...alive].map((service) => service.end()));
}
