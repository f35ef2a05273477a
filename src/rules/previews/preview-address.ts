import { timingSafeEqual } from 'node:crypto';
import { Fault } from '@errand/base/fault.ts';
import { isId, packId, unpackId } from '@errand/base/ids.ts';
import { authenticate } from '../files/signed-token.ts';

const hourMs = 60 * 60 * 1000;
/** Addresses stay the same for this time, so that a page that asks again need not load its frame again; they work for one to two of it. */
const stepHours = 6;
const placeBytes = 21;
const macBytes = 16;
/** One label of a host name has at most 63 characters. */
const previewNameLength = Math.ceil(((placeBytes + macBytes) * 8) / 5);
const nameForm = new RegExp(`^[0-9a-v]{${previewNameLength}}$`);

/** The body of a request; more would not pass between processes. */
export const previewBodyBytes = 512 * 1024;

/** A server in the sandbox of a task. */
export interface PreviewPlace {
  taskId: string;
  port: number;
}

/** Where the worker that holds a task hears who looks at its servers, and where one of them hears it. */
export const previewTopic = (taskId: string): string => `preview:${taskId}`;
export const previewAnswerTopic = (id: string): string => `preview-answer:${id}`;

function sealPlace(key: Uint8Array, place: Buffer): Buffer {
  return authenticate(key, 'preview', place.toString('base64url')).subarray(0, macBytes);
}

function writeName(bytes: Buffer): string {
  return BigInt(`0x${bytes.toString('hex')}`)
    .toString(32)
    .padStart(previewNameLength, '0');
}

function readBytes(name: string): Buffer {
  let value = 0n;
  for (const digit of name) value = value * 32n + BigInt(Number.parseInt(digit, 32));
  const length = (placeBytes + macBytes) * 2;
  return Buffer.from(value.toString(16).padStart(length, '0').slice(-length), 'hex');
}

/** A name that only a holder of the key can make; it fits into one label of a host name, and whoever knows it sees the server. */
export function namePreview(key: Uint8Array, { taskId, port }: PreviewPlace, nowMs: number): { name: string; endsAtMs: number } {
  const endsAt = (Math.floor(nowMs / hourMs / stepHours) + 2) * stepHours;
  const place = Buffer.alloc(placeBytes);
  packId(taskId).copy(place);
  place.writeUInt16BE(port, 16);
  place.writeUIntBE(endsAt, 18, 3);
  return { name: writeName(Buffer.concat([place, sealPlace(key, place)])), endsAtMs: endsAt * hourMs };
}

/** What a name stands for. Throws 403 `permission_denied` for one that is forged, altered, or expired. */
export function readPreviewName(key: Uint8Array, name: string, nowMs: number): PreviewPlace {
  const invalid = new Fault('permission_denied', 'This URL is not valid.');
  if (!nameForm.test(name)) throw invalid;
  const bytes = readBytes(name);
  const place = bytes.subarray(0, placeBytes);
  const isOurs = timingSafeEqual(bytes.subarray(placeBytes), sealPlace(key, place)) && writeName(bytes) === name;
  const taskId = unpackId(place.subarray(0, 16));
  if (!isOurs || !isId(taskId)) throw invalid;
  if (nowMs >= place.readUIntBE(18, 3) * hourMs) {
    throw new Fault('permission_denied', 'This URL has expired; open the preview from the page of the task again.');
  }
  return { taskId, port: place.readUInt16BE(16) };
}

/**
 * Where previews are: `*` stands for the name of one. Each is an origin of its own if the operator has given a wildcard, or on this machine,
 * where browsers resolve every name below `localhost`. Elsewhere they are folders of the content origin.
 */
export function choosePreviewBase(contentUrl: string, configured: string | null): string {
  if (configured !== null) return configured;
  const { protocol, hostname, port } = new URL(contentUrl);
  if (hostname !== 'localhost') return `${contentUrl}/previews/*`;
  return `${protocol}//*.localhost${port === '' ? '' : `:${port}`}`;
}

/** The name in the host of a request to a preview with an origin of its own; null for any other host. */
export function readPreviewHost(host: string | undefined): string | null {
  const [name = '', rest] = (host ?? '').toLowerCase().split('.', 2);
  return rest !== undefined && nameForm.test(name) ? name : null;
}
