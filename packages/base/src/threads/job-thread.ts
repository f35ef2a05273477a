import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../clock.ts';
import { FairGate } from '../load/fair-gate.ts';
import { Fault } from '../fault.ts';
import type { FromThread, ToThread } from './job-worker.ts';

export interface JobThreadOptions {
  /** The thread's own file, which calls `serveJobs`. */
  file: URL;
  clock: Clock;
  /** What the jobs create, in messages for people: "the chart". */
  subject: string;
  /** Concurrent jobs; each can take a whole core. If there are several, no owner gets all of them. */
  maxThreads?: number;
  /** Time limit of one job. */
  deadlineMs?: number;
  /** An idle thread is ended after this, so that the memory of its libraries is released. */
  idleMs?: number;
  /** JavaScript heap size of one thread. */
  memoryMb?: number;
}

export interface JobCall {
  signal: AbortSignal;
  /** The owner of the job: waiting owners take turns. */
  owner?: string;
  /** Handles the job's requests to this side, such as for the bytes of a file. Its errors are thrown in the job. */
  answer?(question: string, input: unknown): Promise<unknown>;
}

/** Threads for heavy work and for reading untrusted files: neither runs on the thread that answers requests. */
export interface JobThreads {
  /**
   * Runs one job; it waits while all threads are busy. Rejects with the job's Fault, with `unavailable` if it took too long or too much
   * memory, or with the signal's reason as soon as that is aborted: the thread is then terminated.
   */
  run(job: string, input: unknown, call: JobCall): Promise<unknown>;
  /** Ends idle threads, and every other one once its job is over. */
  close(): Promise<void>;
}

interface Thread {
  worker: Worker;
  idle: Timer | null;
  isBroken: boolean;
}

function explainEnd(error: unknown, subject: string): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? new Fault('unavailable', `Creating ${subject} took too much memory. Make it smaller or simpler.`) : error;
}

/** Answers the thread's requests for this job and settles with its outcome. */
function converse(worker: Worker, { answer }: JobCall): Promise<unknown> {
  const send = (message: ToThread) => worker.postMessage(message);
  async function reply(id: number, question: string, input: unknown): Promise<void> {
    try {
      if (!answer) throw new Fault('internal', 'This job cannot send requests.');
      send({ kind: 'answer', id, value: await answer(question, input) });
    } catch (error) {
      const isFault = error instanceof Fault;
      send({ kind: 'refusal', id, code: isFault ? error.code : 'internal', message: isFault ? error.message : String(error) });
    }
  }
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'question') void reply(message.id, message.question, message.input);
      else if (message.kind === 'done') resolve(message.value);
      else if (message.code === 'internal') reject(new Error(`A job of the thread failed: ${message.message}`));
      else reject(new Fault(message.code, message.message));
    });
  });
}

/** Only ours: a worker listens to itself too. */
function removeListeners(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

class Threads implements JobThreads {
  readonly #options: Required<JobThreadOptions>;
  readonly #slots: FairGate;
  readonly #free: Thread[] = [];
  #isClosed = false;

  constructor(options: JobThreadOptions) {
    this.#options = { maxThreads: 2, deadlineMs: 60_000, idleMs: 30_000, memoryMb: 512, ...options };
    this.#slots = new FairGate({ capacity: this.#options.maxThreads });
  }

  async run(job: string, input: unknown, call: JobCall): Promise<unknown> {
    const { owner = '', signal } = call;
    return this.#slots.run({ owner, signal }, async () => {
      const thread = this.#takeFree() ?? this.#start();
      try {
        return await this.#runOn(thread, job, input, call);
      } finally {
        await this.#giveBack(thread);
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#free.splice(0).map((thread) => this.#end(thread)));
  }

  #takeFree(): Thread | null {
    const free = this.#free.pop();
    if (!free) return null;
    free.idle?.cancel();
    removeListeners(free.worker);
    return free;
  }

  #start(): Thread {
    const { file, memoryMb } = this.#options;
    const limits = { maxOldGenerationSizeMb: memoryMb };
    const worker = new Worker(file, { env: {}, execArgv: [], stdin: false, resourceLimits: limits });
    return { worker, idle: null, isBroken: false };
  }

  async #runOn(thread: Thread, job: string, input: unknown, call: JobCall): Promise<unknown> {
    const { clock, deadlineMs, subject } = this.#options;
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    const tooSlow = `It took longer than ${deadlineMs / 1000} seconds to make ${subject}. Make it smaller or simpler.`;
    const timer = clock.setTimer(() => end(new Fault('unavailable', tooSlow)), deadlineMs);
    const abort = () => end(call.signal.reason);
    call.signal.addEventListener('abort', abort, { once: true });
    thread.worker.once('error', (error) => end(explainEnd(error, subject)));
    thread.worker.once('exit', () => end(new Error(`The thread that makes ${subject} ended.`)));
    thread.worker.ref();
    // Anything before the job's own outcome leaves the thread in an unknown state.
    const broken = ended.catch((error: unknown) => {
      thread.isBroken = true;
      throw error;
    });
    try {
      if (call.signal.aborted) abort();
      const outcome = converse(thread.worker, call);
      thread.worker.postMessage({ kind: 'job', job, input } satisfies ToThread);
      return await Promise.race([outcome, broken]);
    } finally {
      timer.cancel();
      call.signal.removeEventListener('abort', abort);
      removeListeners(thread.worker);
    }
  }

  async #giveBack(thread: Thread): Promise<void> {
    if (thread.isBroken || this.#isClosed) return this.#end(thread);
    thread.worker.unref();
    // A thread that dies while idle must not be reused, nor end the process.
    const remove = () => this.#remove(thread);
    thread.worker.once('error', remove);
    thread.worker.once('exit', remove);
    thread.idle = this.#options.clock.setTimer(() => {
      remove();
      void this.#end(thread);
    }, this.#options.idleMs);
    this.#free.push(thread);
  }

  #remove(thread: Thread): void {
    const at = this.#free.indexOf(thread);
    if (at === -1) return;
    thread.idle?.cancel();
    this.#free.splice(at, 1);
  }

  async #end({ worker, idle }: Thread): Promise<void> {
    idle?.cancel();
    removeListeners(worker);
    // Errors of a thread that is being terminated are irrelevant, but without a listener they would end the process.
    worker.on('error', () => undefined);
    await worker.terminate();
  }
}

/** Threads are started with the first job and ended when idle. */
export function createJobThreads(options: JobThreadOptions): JobThreads {
  return new Threads(options);
}
