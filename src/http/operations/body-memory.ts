import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import type { FairGate } from '@errand/base/load/fair-gate.ts';
import { CallerPresence } from './caller-presence.ts';

/** Bodies up to this size are bounded by the number of requests. */
const smallBytes = 1024 * 1024;
/** A body exists as bytes, as text, as parsed values, and as the files decoded from it. */
const copies = 4;
/** Shorter than the time in which a request has to arrive, which runs meanwhile. */
const timeoutMs = 5000;

export interface BodyMemoryParts {
  /** The memory for what others send, in bytes. */
  memory: FairGate;
  clock: Clock;
}

function tooMany(): Fault {
  const problem = 'Too many large requests are in progress; try again shortly, or send files with file.upload.';
  return new Fault('unavailable', problem, { retryAfterS: 5 });
}

/** The most that the body may have; 0 for one that is not kept in memory or will be refused. */
function sizeOf({ headers }: FastifyRequest, limitBytes: number): number {
  if (headers['content-type']?.startsWith('multipart/') === true) return 0;
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  const bytes = Number(length ?? (encoding === undefined ? 0 : limitBytes));
  return bytes > limitBytes ? 0 : bytes;
}

/**
 * Waits until the account's body fits; resolves with what gives its place back. Rejects with `unavailable` after five seconds, and if the caller
 * leaves.
 * @param amount in the unit of the gate's capacity
 */
export async function enterWithBody(
  { memory, clock }: BodyMemoryParts,
  owner: string,
  amount: number,
  reply: FastifyReply,
): Promise<() => void> {
  const timeout = new AbortController();
  const signal = AbortSignal.any([new CallerPresence(reply.raw).signal, timeout.signal]);
  const timer = clock.setTimer(() => timeout.abort(tooMany()), timeoutMs);
  try {
    return await memory.enter({ owner, signal, amount });
  } finally {
    timer.cancel();
  }
}

/** The same, until the request is over. */
async function reserveBody(parts: BodyMemoryParts, owner: string, amount: number, reply: FastifyReply): Promise<undefined> {
  const release = await enterWithBody(parts, owner, amount, reply);
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
}

/** Reserves memory for a large body before a byte of it is read, until the request is over. */
export function reserveBodyMemory(
  parts: BodyMemoryParts,
  limitBytes: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<undefined> | undefined {
  const bytes = sizeOf(request, limitBytes);
  const owner = request.caller?.principal.accountId;
  return bytes <= smallBytes || owner === undefined ? undefined : reserveBody(parts, owner, copies * bytes, reply);
}
