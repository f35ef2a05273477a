import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StringDecoder } from 'node:string_decoder';
import type { Writable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { GcraLimiter } from '@errand/base/load/gcra-limiter.ts';
import { type Egress, proxyAddress, type Sandbox, type SandboxResult } from '@errand/sandbox';
import { workspaceMount } from '@errand/sandbox/workspace-path';
import type { Workspace } from '@errand/sandbox/workspace';
import { readContentTypes } from './page-screenshots.ts';
import {
  type BrowserCall,
  type BrowserRequest,
  type BrowserReport,
  browserReport,
  type BrowserSession,
  type LiveCommand,
  pictureLine,
} from './browser-messages.ts';
import type { BrowserPicture } from '../../rules/browser/live-browser.ts';
import { workspaceHost } from './browser-place.ts';
import { type DriverFiles, driverCommand, readDriverFiles } from './driver-files.ts';

/** Port in the sandbox, where ports below 1024 are closed. */
const workspacePort = 8000;
const mebibyte = 1024 * 1024;
const limits = {
  /** A browser in use for longer than this is replaced. */
  wallMs: 24 * 60 * 60_000,
  cpuS: 3_600,
  memoryBytes: 1536 * mebibyte,
  processes: 512,
  fileBytes: 256 * mebibyte,
  outputBytes: mebibyte,
};
/** More than any report of the driver. */
const longestReport = 4 * mebibyte;
const longestPicture = mebibyte / 2;
/** More pictures than the driver sends, which pauses between them. A process that sends more is not the driver and is not read. */
const picturePace = { count: 60, windowMs: 4_000 };

export interface BrowserParts {
  sandbox: Pick<Sandbox, 'run'>;
  /** Path of the Chromium executable. */
  program: string;
  workspace: Pick<Workspace, 'root' | 'quota'>;
  egress: Egress;
  session: BrowserSession | null;
  clock: Clock;
  /** Called with each picture that the driver sends while it is to send some. */
  onPicture(picture: BrowserPicture): void;
}

const libraryFolder = (): string => dirname(fileURLToPath(import.meta.resolve('playwright-core')));
let driver: DriverFiles | undefined;

function describeEnd(end: SandboxResult['end'] | 'failed', detail: string): Fault {
  const text =
    end === 'memory' || end === 'disk'
      ? `The browser was ended: its pages took too much ${end}. It goes on with the next call; do less at a time.`
      : 'The browser failed to start or crashed. Try again, or use fetch_url.';
  return new Fault('unavailable', text, { detail });
}

interface Waiting {
  resolve(report: BrowserReport): void;
  reject(error: unknown): void;
}

/** A browser in a sandbox of its own, with the driver that operates it: outside, what pages say is only handled as text. */
export class BrowserProcess {
  /** Settles when nothing of it is left. */
  readonly ended: Promise<void>;
  readonly #over = new AbortController();
  readonly #onPicture: BrowserParts['onPicture'];
  readonly #decoder = new StringDecoder('utf8');
  readonly #pace: GcraLimiter;
  #isWatched = false;
  #input: Writable | null = null;
  #unsent: string[] = [];
  #waiting: Waiting | null = null;
  #text = '';
  #isOpen = true;
  #exceeded: 'memory' | 'disk' | null = null;

  constructor({ sandbox, program, workspace, egress, session, clock, onPicture }: BrowserParts) {
    this.#pace = new GcraLimiter(clock, picturePace);
    this.#onPicture = onPicture;
    const running = sandbox.run({
      command: driverCommand,
      library: libraryFolder(),
      workspace,
      egress,
      limits,
      signal: this.#over.signal,
      talk: { begin: (input) => this.#begin(input), receive: (chunk) => this.#receive(chunk) },
    });
    driver ??= readDriverFiles();
    const request: BrowserRequest = {
      program,
      proxy: proxyAddress,
      workspace: workspaceMount,
      site: { root: workspaceMount, host: workspaceHost, port: workspacePort, types: readContentTypes() },
      session,
    };
    this.#send({ ...driver, request });
    this.ended = this.#finish(running);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The limit that has ended it; null if that was something else. */
  get exceeded(): 'memory' | 'disk' | null {
    return this.#exceeded;
  }

  /** One call at a time. Rejects with a Fault if the browser ends. */
  call(call: BrowserCall): Promise<BrowserReport> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.#isOpen) this.#send(call);
      else reject(describeEnd('failed', 'the browser had ended before'));
    });
  }

  /** Sends a command to the driver, beside the calls; lost if the browser has ended. */
  command(live: LiveCommand): void {
    if (live.do === 'watch') this.#isWatched = live.on;
    if (this.#isOpen) this.#send({ live });
  }

  /** @param why for the call that is interrupted */
  async close(why = 'The browser was put away. Try again.'): Promise<void> {
    this.#isOpen = false;
    this.#over.abort(new Fault('unavailable', why));
    await this.ended;
  }

  #begin(input: Writable): void {
    this.#input = input;
    input.on('error', () => undefined);
    for (const line of this.#unsent) input.write(line);
    this.#unsent = [];
  }

  #send(value: unknown): void {
    const line = `${JSON.stringify(value)}\n`;
    if (this.#input) this.#input.write(line);
    else this.#unsent.push(line);
  }

  #receive(chunk: Buffer): void {
    const lines = (this.#text + this.#decoder.write(chunk)).split('\n');
    this.#text = lines.pop() ?? '';
    if (this.#text.length > longestReport) void this.close();
    for (const line of lines) {
      if (line.startsWith('{"picture":')) this.#receivePicture(line);
      else this.#receiveReport(line);
    }
  }

  #receivePicture(line: string): void {
    if (!this.#isWatched || line.length > longestPicture || this.#pace.take('') > 0) return;
    try {
      const { data } = pictureLine.safeParse(JSON.parse(line));
      if (data) this.#onPicture(data.picture);
    } catch {
      // Not a picture: nothing that anybody waits for.
    }
  }

  /** One call, one report: whatever else comes is not from the driver. */
  #receiveReport(report: string): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    try {
      waiting?.resolve(browserReport.parse(JSON.parse(report)));
    } catch (cause) {
      waiting?.reject(new Fault('unavailable', 'The browser gave no report. Try again.', { cause }));
      void this.close();
    }
  }

  async #finish(running: Promise<SandboxResult>): Promise<void> {
    const failure = await running.then(
      ({ end, stderr }) => {
        if (end === 'memory' || end === 'disk') this.#exceeded = end;
        return describeEnd(end, stderr.toString().slice(-2000));
      },
      (error: unknown) => error,
    );
    this.#isOpen = false;
    this.#waiting?.reject(failure);
    this.#waiting = null;
  }
}
