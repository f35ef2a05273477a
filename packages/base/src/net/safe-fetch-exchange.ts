import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { requestHttp } from './node-http.ts';
import type { FairGate } from '../load/fair-gate.ts';
import { describeCause, OutboundFault } from './outbound-fault.ts';
import type { Halt } from './safe-fetch-halt.ts';
import { frameHeaders, type Headers } from './safe-fetch-headers.ts';
import { hostOf } from './safe-fetch-target.ts';

export interface HttpExchange {
  method: string;
  url: URL;
  headers: Headers;
  body?: Buffer | string | undefined;
  maxBytes: number;
  /** Whether a response with these headers has a body to read. */
  wantsBody(status: number, headers: IncomingHttpHeaders): boolean;
  owner?: string;
  memory?: FairGate | undefined;
  receive?(body: AsyncIterable<Buffer>, head: { status: number; headers: IncomingHttpHeaders; finalUrl: string }): Promise<void>;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  isTruncated: boolean;
}

/** Status line and headers of a response, or the trailers of its body. */
const maxHeadBytes = 16_384;

/**
 * Limit of everything besides the body: interim responses, headers, framing, trailers. Chunks of one byte take six on the wire, so a body
 * may take six times its size; a server that needs more is hiding a flood where no other limit applies.
 */
const maxFramingBytes = 8 * maxHeadBytes;
const maxBytesPerBodyByte = 6;
const maxInterimAnswers = 8;

/** One request and its response over a new connection, which is closed afterward. */
export async function exchange(socket: Socket, message: HttpExchange, halt: Halt): Promise<Answer> {
  try {
    const sent = sendRequest(socket, message, () => halt.stop(refuseFlood(message.url)));
    const answer = await explain(message.url, halt, () => sent);
    const { statusCode: status = 0, headers } = answer;
    const head = { status, headers };
    if (!message.wantsBody(status, headers)) return { ...head, body: Buffer.alloc(0), isTruncated: false };
    const release = await reserveMemory(message, answer, halt);
    try {
      if (!message.receive) return { ...head, ...(await explain(message.url, halt, () => readBody(answer, message.maxBytes))) };
      await message.receive(passBody(answer, message, halt), { ...head, finalUrl: message.url.href });
      return { ...head, body: Buffer.alloc(0), isTruncated: false };
    } finally {
      release();
    }
  } finally {
    socket.destroy();
  }
}

/** Translates errors of the connection into faults. */
async function explain<Result>(url: URL, halt: Halt, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    halt.check();
    throw toFault(error, hostOf(url));
  }
}

/** Bytes that are not counted: the buffers of a socket take as much. */
const freeBytes = 64 * 1024;

/**
 * Reserves memory for the body now that it is about to arrive; a server that has not answered holds nothing. Waiting counts toward the
 * request's time.
 */
async function reserveMemory(message: HttpExchange, answer: IncomingMessage, halt: Halt): Promise<() => void> {
  const { memory, method, maxBytes, owner = '' } = message;
  const announced = answer.headers['content-length'];
  const amount = method === 'HEAD' ? 0 : Math.min(maxBytes, Number(announced ?? maxBytes));
  if (!memory || amount <= freeBytes) return () => undefined;
  return memory.enter({ owner, signal: halt.signal, amount });
}

/** The body as it arrives; more than `maxBytes` is an error. */
async function* passBody(answer: IncomingMessage, { url, maxBytes }: HttpExchange, halt: Halt): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer, undefined> = answer[Symbol.asyncIterator]();
  for (let left = maxBytes; ; ) {
    const { done, value } = await explain(url, halt, () => chunks.next());
    if (done === true) return;
    left -= value.length;
    if (left < 0) throw new OutboundFault('too_large', `the host ${hostOf(url)} sends more than ${maxBytes} bytes`);
    yield value;
  }
}

function sendRequest(socket: Socket, message: HttpExchange, onFlood: () => void): Promise<IncomingMessage> {
  const { method, url, headers, body, maxBytes } = message;
  return new Promise((resolve, reject) => {
    const request = requestHttp({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: frameHeaders(url, headers, body),
      setHost: false,
      maxHeaderSize: maxHeadBytes,
      insecureHTTPParser: false,
    });
    request.on('error', reject);
    request.on('response', resolve);
    limitInterimAnswers(request, onFlood);
    // A switch to another protocol ends without an error or a response.
    request.on('close', () => reject(new Error('closed without an answer')));
    // Not before the parser listens: a second listener would let bytes bypass the first.
    request.once('socket', () => countWireBytes(socket, maxFramingBytes + maxBytesPerBodyByte * maxBytes, onFlood));
    request.end(body);
  });
}

/** Each 1xx response is parsed and discarded; a server that sends hundreds only wastes our time. */
function limitInterimAnswers(request: ClientRequest, onFlood: () => void): void {
  let left = maxInterimAnswers;
  request.on('information', () => {
    left -= 1;
    if (left < 0) onFlood();
  });
}

function countWireBytes(socket: Socket, maxWireBytes: number, onFlood: () => void): void {
  let left = maxWireBytes;
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) onFlood();
  });
}

/** Reads at most `maxBytes` of the body; the rest is not read. */
async function readBody(answer: IncomingMessage, maxBytes: number): Promise<Pick<Answer, 'body' | 'isTruncated'>> {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
    if (left < 0) break;
  }
  return { body: Buffer.concat(chunks), isTruncated: left < 0 };
}

function refuseFlood(url: URL): OutboundFault {
  return new OutboundFault('too_large', `the host ${hostOf(url)} sends too much data besides the response body`);
}

/** A fault for a failed exchange. It has no cause, because a parser error contains what the server sent. */
function toFault(error: unknown, host: string): OutboundFault {
  const detail = describeCause(error);
  if (detail !== 'HPE_HEADER_OVERFLOW') {
    return new OutboundFault('protocol', `the host ${host} does not respond with valid HTTP`, { detail });
  }
  return new OutboundFault('too_large', `the host ${host} sends response headers that are too large`, { detail });
}
