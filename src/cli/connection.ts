import { z } from 'zod';
import { CommandFault } from './exit-code.ts';
import { parseEventStream } from './event-stream.ts';
import { type OperationName, calledOperations, type ResultOf, taskEvent, type TaskEvent } from './operations.ts';
import { parseJson, StreamRefused, type Transport, type TransportReply } from './transport.ts';

/** Parameters of an operation; what is undefined is left out. */
export type Params = Readonly<Record<string, unknown>>;

/** What a stream brings. A delta is a piece of a reply that is still being written, output one of what a tool writes. */
export type StreamItem =
  | { kind: 'event'; event: TaskEvent }
  | { kind: 'delta'; step: number; attempt: number; text: string }
  | { kind: 'output'; action_id: string; text: string };

/** The service, as commands see it, whichever way it is reached. */
export interface Connection {
  readonly kind: Transport['kind'];
  /** The result without the envelope. A refusal is a `CommandFault` with the service's own words. */
  call<Name extends OperationName>(operation: Name, params?: Params): Promise<ResultOf<Name>>;
  /** A task's events behind `lastEventId` (null for all), then each new one, until the signal aborts or the connection ends. */
  stream(taskId: string, lastEventId: string | null, signal: AbortSignal): AsyncIterable<StreamItem>;
  close(): Promise<void>;
}

const failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const success = z.looseObject({ ok: z.literal(true) });
const delta = z.object({ step: z.number(), attempt: z.number(), text: z.string() });
const output = z.object({ action_id: z.string(), text: z.string() });

function explainRefusal({ status, body }: TransportReply): CommandFault {
  const refused = failure.safeParse(body);
  if (refused.success) return new CommandFault(refused.data.error.message, { code: refused.data.error.code });
  return new CommandFault(`the address answers with status ${status} and is not an Errand service`, { code: 'unavailable' });
}

/** The members of an answer that are not the envelope's. */
function openEnvelope(reply: TransportReply): Record<string, unknown> {
  const answer = success.safeParse(reply.body);
  if (reply.status !== 200 || !answer.success) throw explainRefusal(reply);
  const { ok: _ok, request_id: _requestId, ...rest } = answer.data;
  return rest;
}

function writeQuery(params: Params): Record<string, string> {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

export function connectThrough(transport: Transport): Connection {
  async function call(name: OperationName, params: Params = {}): Promise<unknown> {
    const { method, path, result } = calledOperations[name];
    if (transport.kind === 'remote' && path.startsWith('/admin/')) {
      throw new CommandFault('a client may not do this: run the command on the machine of the service, without ERRAND_URL');
    }
    const reply = await transport.send({
      method,
      path,
      ...(method === 'GET' ? { query: writeQuery(params) } : { body: params }),
    });
    const read = result.safeParse(openEnvelope(reply));
    if (!read.success) throw new CommandFault(`the service answers ${name} in a way this version does not understand`);
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

/** A newer service may send what this version does not know; that is skipped. */
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
