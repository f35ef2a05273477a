import { createHash, randomFillSync, randomUUID } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 22;
const mask30 = (1n << 30n) - 1n;

const pool = Buffer.alloc(8192);
let poolOffset = pool.length;

/** `count` unpredictable bytes, drawn from a pool because one system call per id is the larger cost. */
function randomBytesPooled(count: number): Buffer {
  if (poolOffset + count > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const bytes = pool.subarray(poolOffset, poolOffset + count);
  poolOffset += count;
  return bytes;
}

/** Base62 of a 128-bit number, always 22 characters, so that the text sorts as the number does. */
function toBase62(high: bigint, low: bigint): string {
  let value = (high << 64n) | low;
  let text = '';
  // Eight digits at a time: 62^8 is the highest power below 2^53, so that digits can be computed with plain numbers.
  while (text.length < idLength) {
    let chunk = Number(value % 218340105584896n);
    value /= 218340105584896n;
    for (let i = 0; i < 8 && text.length < idLength; i++) {
      text = alphabet.charAt(chunk % 62) + text;
      chunk = Math.floor(chunk / 62);
    }
  }
  return text;
}

function fromBase62(text: string): bigint {
  let value = 0n;
  for (const char of text) value = value * 62n + BigInt(alphabet.indexOf(char));
  return value;
}

/** The 16 bytes of an id. */
export function packId(id: string): Buffer {
  const bytes = Buffer.alloc(16);
  const value = fromBase62(id);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value >> 64n), 0);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value), 8);
  return bytes;
}

/** The id of 16 bytes from `packId`. */
export function unpackId(bytes: Buffer): string {
  return toBase62(bytes.readBigUInt64BE(0), bytes.readBigUInt64BE(8));
}

/** Sorts after every id: where a page of the latest begins. */
export const afterEveryId = '~';

/** Whether a text has the form of an id of a task, event, project, webhook, or artifact. */
export function isId(text: string): boolean {
  return /^[0-9A-Za-z]{22}$/.test(text);
}

/** What ids are for: those that requests and logs make in passing have a count of their own, and so do places of bytes. */
export type IdKind = 'object' | 'request' | 'place';

let counts: Map<IdKind, bigint> | null = null;

/**
 * From now on, ids are counted and not drawn: each run of a program makes the same ones. Only for tests, because they can be guessed.
 * Secrets are drawn as before.
 */
export function countIds(): void {
  counts = new Map();
}

function countedId(nowMs: number, kind: IdKind, counted: Map<IdKind, bigint>): string {
  const count = (counted.get(kind) ?? 0n) + 1n;
  counted.set(kind, count);
  const kinds: Record<IdKind, bigint> = { object: 0x7000n, request: 0x7001n, place: 0x7002n };
  return toBase62((BigInt(nowMs) << 16n) | kinds[kind], (0b10n << 62n) | count);
}

/** A UUIDv7 in base62 (docs/reference/choices.md#identifiers): 22 characters that sort by creation. */
export function newId(nowMs: number, kind: IdKind = 'object'): string {
  if (counts) return countedId(nowMs, kind, counts);
  const random = randomBytesPooled(10);
  const high = (BigInt(nowMs) << 16n) | 0x7000n | BigInt(random.readUInt16BE(0) & 0x0fff);
  const low = (0b10n << 62n) | (random.readBigUInt64BE(2) & ((1n << 62n) - 1n));
  return toBase62(high, low);
}

/** A text that sorts before every id of this millisecond and after those of earlier ones. */
export function firstIdAt(atMs: number): string {
  const clamped = Math.min(Math.max(0, atMs), 2 ** 48 - 1);
  return toBase62(BigInt(clamped) << 16n, 0n);
}

/** A deterministic id for a named object: derived from a time and the name, it sorts like other ids of that time. */
export function deriveId(atMs: number, name: string): string {
  const digest = createHash('sha256').update(name).digest();
  const high = (BigInt(atMs) << 16n) | 0x7000n | BigInt(digest.readUInt16BE(0) & 0x0fff);
  const low = (0b10n << 62n) | (digest.readBigUInt64BE(2) & ((1n << 62n) - 1n));
  return toBase62(high, low);
}

/** The ID of something derived from another object: always the same, and as old as that object if its ID contains a time. */
export function companionId(id: string, name: string): string {
  const atMs = isId(id) ? Number((fromBase62(id) >> 80n) & ((1n << 48n) - 1n)) : 0;
  return deriveId(atMs, `${name} ${id}`);
}

/** A UUID (version 8) derived from a name: the same name always gives the same one. */
export function deriveUuid(name: string): string {
  const bytes = createHash('sha256').update(name).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A random UUID: ids of connectors. */
export function newUuid(): string {
  return counts ? deriveUuid(newId(0)) : randomUUID();
}

/** `req_` and 22 characters, one per request. */
export function newRequestId(nowMs: number): string {
  return `req_${newId(nowMs, 'request')}`;
}

/** `length` characters of base62 without bias. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytesPooled(length)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}

/** A new API key: `sk-` and 43 characters of base62, which are 256 bits. */
export function newApiKey(): string {
  return `sk-${randomBase62(43)}`;
}

/** A key for a program that administers the instance: `si-` and 43 characters of base62. */
export function newInstanceKey(): string {
  return `si-${randomBase62(43)}`;
}

/** A number from 0 to 1 for jitter; not for secrets. */
export function randomFraction(): number {
  return randomBytesPooled(4).readUInt32BE(0) / 2 ** 32;
}

function taskHash(taskId: string): bigint {
  return BigInt(createHash('sha256').update(taskId).digest().readUInt32BE(0)) & mask30;
}

/** Distinguishes event ids from random UUIDv7s: version 7 without randomness, and the variant. */
const eventHighBits = 0x7000n;
const eventVariant = 0b10n;

const taskHashes = new Map<string, bigint>();

function cachedTaskHash(taskId: string): bigint {
  let hash = taskHashes.get(taskId);
  if (hash === undefined) {
    if (taskHashes.size >= 4096) taskHashes.clear();
    hash = taskHash(taskId);
    taskHashes.set(taskId, hash);
  }
  return hash;
}

/**
 * The id of an event is computed, not stored: a UUIDv7 whose random bits hold the event's sequence number and a hash of its task. It sorts
 * in log order, and a cursor or `Last-Event-ID` becomes a keyset position without a lookup.
 */
export function eventId(taskId: string, seq: number, atMs: number): string {
  const high = (BigInt(atMs) << 16n) | eventHighBits;
  const low = (eventVariant << 62n) | (BigInt(seq) << 30n) | cachedTaskHash(taskId);
  return toBase62(high, low);
}

/** The sequence number in an event id of this task, or null if the id is not one of its events. */
export function eventSeq(taskId: string, id: string): number | null {
  if (!isId(id)) return null;
  const value = fromBase62(id);
  const isEvent =
    value >> 128n === 0n && ((value >> 64n) & 0xffffn) === eventHighBits && ((value >> 62n) & 0b11n) === eventVariant;
  if (!isEvent || (value & mask30) !== cachedTaskHash(taskId)) return null;
  return Number((value >> 30n) & 0xffffffffn);
}
