import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** A request of the operator on behalf of an account (e-mail address or id; null: the first one). */
export interface OperatorRequest {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  account?: string | null;
  /** The chat in which a person of the account asks for it. */
  chatId?: string;
  /** Whether a person of the account asks for it by a mail. */
  isByMail?: boolean;
  idempotencyKey?: string;
}

export interface OperatorResponse {
  status: number;
  /** The envelope. */
  body: Record<string, unknown>;
}

/** The stream or, for a rejected request, the envelope. */
export interface OperatorStream extends OperatorResponse {
  stream: Readable | null;
}

function requestOf({ method, path, query = {}, body, account, chatId, isByMail = false, idempotencyKey }: OperatorRequest) {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const headers = {
    host: 'control',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(account && { 'x-errand-account': account }),
    ...(chatId !== undefined && { 'x-errand-chat': chatId }),
    ...(isByMail && { 'x-errand-mail': '1' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  return { method, url: path, query, headers, ...payload };
}

/** Calls the control server without a socket. */
export async function injectOperator(control: FastifyInstance, request: OperatorRequest): Promise<OperatorResponse> {
  const { statusCode, body } = await control.inject(requestOf(request));
  return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> };
}

/**
 * Calls task.stream on the control server without a socket and returns the server-sent events as text. Destroying the stream ends the call.
 */
export async function injectOperatorStream(control: FastifyInstance, request: OperatorRequest): Promise<OperatorStream> {
  const response = await control.inject({ ...requestOf(request), payloadAsStream: true });
  const stream = response.stream();
  if (response.statusCode === 200) return { status: 200, body: {}, stream };
  const chunks = await stream.toArray();
  return {
    status: response.statusCode,
    body: JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as Record<string, unknown>,
    stream: null,
  };
}
