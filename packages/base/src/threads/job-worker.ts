import { parentPort } from 'node:worker_threads';
import { Fault, type FaultCode } from '../fault.ts';

export type ToThread =
  | { kind: 'job'; job: string; input: unknown }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refusal'; id: number; code: FaultCode; message: string };

export type FromThread =
  | { kind: 'question'; id: number; question: string; input: unknown }
  | { kind: 'done'; value: unknown }
  | { kind: 'failed'; code: FaultCode; message: string };

/** Sends a job's request to the side that started it. Rejects with that side's Fault. */
export type Ask = (question: string, input: unknown) => Promise<unknown>;

/** One kind of job. A Fault that it throws reaches the caller unchanged. */
export type Job = (input: unknown, ask: Ask) => Promise<unknown>;

function describeFailure(error: unknown): FromThread {
  if (error instanceof Fault) return { kind: 'failed', code: error.code, message: error.message };
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return { kind: 'failed', code: 'invalid_argument', message: 'It is nested too deeply. Make it flatter.' };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'failed', code: 'internal', message: stack };
}

/** The inner side of a job thread (job-thread.ts): runs one job after another. Call it once, from the thread's own file. */
export function serveJobs(jobs: Readonly<Record<string, Job>>): void {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let questions = 0;
  const send = (message: FromThread) => parentPort?.postMessage(message);

  const ask: Ask = (question, input) => {
    const id = questions++;
    const waiting = Promise.withResolvers<unknown>();
    pending.set(id, waiting);
    send({ kind: 'question', id, question, input });
    return waiting.promise;
  };

  async function runJob(name: string, input: unknown): Promise<void> {
    try {
      const job = jobs[name];
      if (!job) throw new Fault('internal', `There is no job ${name}.`);
      send({ kind: 'done', value: await job(input, ask) });
    } catch (error) {
      send(describeFailure(error));
    }
  }

  parentPort?.on('message', (message: ToThread) => {
    if (message.kind === 'job') return void runJob(message.job, message.input);
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(new Fault(message.code, message.message));
  });
}
