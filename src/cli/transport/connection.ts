import { z } from 'zod';
import { CommandFault } from '../exit-code.ts';
import { parseEventStream } from './event-stream.ts';
import { type OperationName, operations, type ResultOf, taskEvent, type TaskEvent } from './operations.ts';
import { parseJson, StreamRefused, type Transport, type WireReply } from './transport.ts';

/** Parameters of an operation; undefined ones are omitted. */
export type Params = Readonly<Record<string, unknown>>;

/** An item of a stream. A delta is a piece of a reply in progress, output a piece of what a tool writes. */
export type StreamItem =
  | { kind: 'event'; event: TaskEvent }
  | { kind: 'delta'; step: number; attempt: number; text: string }
  | { kind: 'output'; action_id: string; text: string };

/** The service as commands see it, however they reach it. */
export interface Connection {
  readonly kind: Transport['kind'];
  /** Returns the result without the envelope. Throws `CommandFault` with the message of the service if it refuses. */
  call<Name extends OperationName>(operation: Name, params?: Params): Promise<ResultOf<Name>>;
  /** The events of a task after `lastEventId` (null for all), then new ones until the signal aborts or the connection ends. */
  stream(taskId: string, lastEventId: string | null, signal: AbortSignal): AsyncIterable<StreamItem>;
  close(): Promise<void>;
}

const failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const success = z.looseObject({ ok: z.literal(true) });
const delta = z.object({ step: z.number(), attempt: z.number(), text: z.string() });
const output = z.object({ action_id: z.string(), text: z.string() });

function explainRefusal({ status, body }: WireReply): CommandFault {
  const reported = failure.safeParse(body);
  if (reported.success) return new CommandFault(reported.data.error.message, { code: reported.data.error.code });
  return new CommandFault(`the server answers with status ${status} and is not an Errand service`, { code: 'unavailable' });
}

/** The members of an answer without those of the envelope. */
function openEnvelope(reply: WireReply): Record<string, unknown> {
  const answer = success.safeParse(reply.body);
  if ((reply.status !== 200 && reply.status !== 202) || !answer.success) throw explainRefusal(reply);
  const { ok: _ok, request_id: _requestId, ...rest } = answer.data;
  return rest;
}

function writeQuery(params: Params): Record<string, string> {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** Speaks the protocol of the service over a transport. */
export function connectThrough(transport: Transport): Connection {
  async function call(name: OperationName, params: Params = {}): Promise<unknown> {
    const { method, prefix, result } = operations[name];
    if (transport.kind === 'remote' && prefix === '/admin/') {
      throw new CommandFault('remote clients may not do this: run the command on the machine of the service, without ERRAND_URL');
    }
    const reply = await transport.send({
      method,
      path: prefix + name,
      ...(method === 'GET' ? { query: writeQuery(params) } : { body: params }),
    });
    const read = result.safeParse(openEnvelope(reply));
    if (!read.success) throw new CommandFault(`this version does not understand the answer to ${name}`);
    return read.data;
  }

  async function* stream(taskId: string, lastEventId: string | null, signal: AbortSignal): AsyncGenerator<StreamItem> {
    const place = lastEventId === null ? {} : { last_event_id: lastEventId };
    const query = { task_id: taskId, verbose: 'true', deltas: 'true', ...place };
    try {
      const chunks = transport.stream({ method: 'GET', path: '/v2/task.stream', query }, signal);
      for await (const { event, data } of parseEventStream(chunks)) {
        if (event === 'error') throw explainRefusal({ status: 200, body: parseJson(data) });
        const item = readItem(event, data);
        if (item) yield item;
      }
    } catch (error) {
      throw error instanceof StreamRefused ? explainRefusal(error.reply) : error;
    }
  }

  // The table gives each name its result.
  return { kind: transport.kind, call: call as Connection['call'], stream, close: () => transport.close() };
}

/** Null for what this version does not know; a newer service may send it. */
function readItem(kind: string, data: string): StreamItem | null {
  const value = parseJson(data);
  if (kind === 'delta') {
    const piece = delta.safeParse(value);
    return piece.success ? { kind: 'delta', ...piece.data } : null;
  }
  if (kind === 'output') {
    const piece = output.safeParse(value);
    return piece.success ? { kind: 'output', ...piece.data } : null;
  }
  const event = taskEvent.safeParse(value);
  return event.success ? { kind: 'event', event: event.data } : null;
}
