import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import { Worker } from '@errand/base/worker.ts';
import { readSpans } from '../../rules/tracing/log-spans.ts';
import { encodeSpans, type Resource } from '../../rules/tracing/otlp-json.ts';
import type { Span } from '../../rules/tracing/span.ts';
import type { Database } from '../../store/db/database.ts';
import { readLogPage } from '../../store/events/sized-page.ts';
import { claimTraces, finishTrace, hasDueTraces, releaseTraces, type TracedTaskRow } from '../../store/tracing/trace-queue.ts';
import type { TraceSender } from './trace-sender.ts';

export interface TraceWorkerParts {
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  sender: TraceSender;
  resource: Resource;
  /** Whether what people, models, and tools wrote is exported. */
  hasContent: boolean;
}

const pollMs = 1000;
/** How long another exporter leaves a task alone. */
const leaseMs = 30_000;
const tasksAtOnce = 16;
const spansAtOnce = 256;
const pause = { shortestMs: 1000, longestMs: 60_000 };

/**
 * Exports the turns of tasks that rest, read from their logs. What is to be exported is noted in the database, so a receiver that is away, slow,
 * or wrong costs no memory and no task waits for it.
 */
export class TraceWorker extends Worker {
  readonly #parts: TraceWorkerParts;
  /** Failures in a row. */
  #failures = 0;
  /** Until when the worker pauses, on the monotonic clock. */
  #pausedUntil = 0;

  constructor(parts: TraceWorkerParts) {
    const { clock, log } = parts;
    super({ name: 'trace-worker', clock, log, pollMs, drainMs: 2000, failure: 'traces could not be read; it is tried again' });
    this.#parts = parts;
  }

  protected async work(): Promise<boolean> {
    const { database, clock } = this.#parts;
    if (clock.monotonic() < this.#pausedUntil || !(await database.run(hasDueTraces, null))) return false;
    const tasks = await database.run(claimTraces, { leaseMs, limit: tasksAtOnce });
    for (const [at, task] of tasks.entries()) {
      if (this.isAccepting && (await this.#export(task))) continue;
      await database.run(releaseTraces, tasks.slice(at));
      return false;
    }
    return tasks.length === tasksAtOnce;
  }

  /** False if the receiver is away: the task is to be exported again, from the same event on. */
  async #export(task: TracedTaskRow): Promise<boolean> {
    const { database, hasContent } = this.#parts;
    const { accountId, taskId, traceDueAtMs, tracedSeq } = task;
    const read = async (afterSeq: number) => (await database.run(readLogPage, { accountId, taskId, afterSeq })).events;
    let endSeq = tracedSeq;
    for await (const part of readSpans({ task, hasContent, read, afterSeq: tracedSeq })) {
      for (let at = 0; at < part.spans.length; at += spansAtOnce) {
        if (!(await this.#send(taskId, part.spans.slice(at, at + spansAtOnce)))) return false;
      }
      ({ endSeq } = part);
    }
    await database.run(finishTrace, { accountId, taskId, traceDueAtMs, tracedSeq: endSeq });
    return true;
  }

  async #send(taskId: string, spans: readonly Span[]): Promise<boolean> {
    const { sender, resource, log, metrics } = this.#parts;
    const result = await sender.send(encodeSpans(spans, resource), this.signal);
    metrics.count('errand_trace_spans_total', { result: result.outcome }, spans.length);
    if (result.outcome === 'failed') {
      if (!this.signal.aborted) this.#pause(result.problem, result.retryAfterMs);
      return false;
    }
    if (result.outcome === 'rejected') {
      log.warn({ task_id: taskId, spans: spans.length, reason: result.problem }, 'the receiver of traces rejected spans');
    }
    if (this.#failures > 0) log.info('traces are exported again');
    this.#failures = 0;
    return true;
  }

  #pause(reason: string, retryAfterMs: number | null): void {
    const { log, clock } = this.#parts;
    const delayMs = Math.min(pause.longestMs, Math.max(retryAfterMs ?? 0, pause.shortestMs * 2 ** Math.min(this.#failures, 6)));
    // Said once for each outage.
    if (this.#failures === 0) log.warn({ reason }, 'traces cannot be exported; they are kept and sent later');
    this.#failures += 1;
    this.#pausedUntil = clock.monotonic() + delayMs;
    this.wakeIn(delayMs);
  }
}
