import { type Connection, pause, planDelayMs } from './connection.ts';
import { ErrandError, isPassing } from './errand-error.ts';
import { parseEventStream } from './event-stream.ts';
import type { TaskEvent } from './operations.ts';

/**
 * A piece of a reply while it is generated; `at` is its offset in the whole reply, in UTF-16 units, so that readers can detect that they
 * joined late. A new attempt at the same step restarts its text.
 */
export interface ReplyDelta {
  step: number;
  attempt: number;
  at?: number;
  text: string;
}

/** A piece of the output of a running tool; `at` is its offset in the whole output. */
export interface OutputDelta {
  action_id: string;
  tool: string;
  at: number;
  text: string;
  /** Present if the text is that of a file, which the model is writing as the input of this call; `at` is then the offset in the file. */
  path?: string;
}

export type StreamItem =
  | { kind: 'event'; event: TaskEvent }
  | { kind: 'delta'; delta: ReplyDelta }
  | { kind: 'output'; output: OutputDelta };

export interface StreamOptions {
  /** Resumes after this event; without it, the stream starts with the first. */
  lastEventId?: string;
  /** Also delivers events about tools and plans. */
  verbose?: boolean;
  /** Also delivers pieces of replies and tool output as they are generated. */
  deltas?: boolean;
  signal?: AbortSignal;
  /** Called when the connection breaks and is reopened. */
  onReconnect?(error: unknown): void;
  /** Called whenever the service has accepted a connection, also before there is anything to read. */
  onConnected?(): void;
}

function readItem(event: string, data: string): StreamItem {
  const value: unknown = JSON.parse(data);
  if (event === 'delta') return { kind: 'delta', delta: value as ReplyDelta };
  if (event === 'output') return { kind: 'output', output: value as OutputDelta };
  if (event !== 'error') return { kind: 'event', event: value as TaskEvent };
  const { request_id, error } = value as { request_id: string; error: { code: string; message: string } };
  throw new ErrandError(error.message, { code: error.code, requestId: request_id });
}

/** Passes bytes through, and reports each arrival. */
function watchBytes(body: ReadableStream<Uint8Array>, onReceived: () => void): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onReceived();
        controller.enqueue(chunk);
      },
    }),
  );
}

export interface StreamConnection {
  path?: string;
  input: object;
  lastEventId?: string | undefined;
  signal?: AbortSignal | undefined;
  onConnected?: (() => void) | undefined;
  /** Called whenever bytes arrive: the service sends some at least every 25 seconds. */
  onReceived?(): void;
}

/** The items of one connection to an event stream, until it ends or breaks. */
export async function* readStream(connection: Connection, call: StreamConnection): AsyncGenerator<StreamItem> {
  const { path = '/v2/task.stream', input, lastEventId, signal, onConnected, onReceived } = call;
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const response = await connection.open({ method: 'GET', path, input, headers, signal });
  if (!response.body) throw new ErrandError('the stream has no body', { code: 'connection' });
  onConnected?.();
  onReceived?.();
  const body = onReceived ? watchBytes(response.body, onReceived) : response.body;
  for await (const { event, data } of parseEventStream(body)) yield readItem(event, data);
}

/**
 * Every event of a task, each once and in order, for as long as the task exists and the reader reads: a connection that breaks
 * is reopened after the last event. Throws permanent errors, such as `not_found` once the task is deleted.
 */
export async function* streamTask(connection: Connection, taskId: string, options: StreamOptions): AsyncGenerator<StreamItem> {
  const { verbose = false, deltas = false, signal, onConnected } = options;
  let lastEventId = options.lastEventId;
  for (let retry = 0; ; retry += 1) {
    try {
      const input = { task_id: taskId, verbose, deltas };
      for await (const item of readStream(connection, { input, lastEventId, signal, onConnected })) {
        if (item.kind === 'event') lastEventId = item.event.id;
        retry = 0;
        yield item;
      }
      // A stream ends temporarily when the service stops, or permanently; the next request shows which.
      throw new ErrandError('the stream ended', { code: 'connection' });
    } catch (error) {
      signal?.throwIfAborted();
      const isBroken = isPassing(error) || error instanceof TypeError || (error instanceof Error && error.name === 'AbortError');
      if (!isBroken) throw error;
      options.onReconnect?.(error);
      await pause(planDelayMs(retry, isPassing(error) ? error.retryAfterMs : null), signal);
    }
  }
}
