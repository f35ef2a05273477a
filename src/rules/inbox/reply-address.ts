import { createHmac, timingSafeEqual } from 'node:crypto';
import { packId, unpackId } from '@errand/base/ids.ts';

/** What a reply decides: the event of a task that waits for a person. */
export interface ReplyItem {
  taskId: string;
  seq: number;
}

const bytesOf = { id: 16, seq: 4, seal: 10 };
const length = bytesOf.id + bytesOf.seq + bytesOf.seal;

/** @param key the secret with which this instance signs */
function seal(key: Uint8Array, item: Buffer): Buffer {
  return createHmac('sha256', key).update('reply address').update(item).digest().subarray(0, bytesOf.seal);
}

/**
 * The part before the @ of the address that takes replies about an item: 60 hexadecimal digits, because some servers change capitals and
 * none needs to take more than 64 characters. Nobody else can make one, and nothing is stored for it.
 */
export function makeReplyAddress(key: Uint8Array, { taskId, seq }: ReplyItem): string {
  const item = Buffer.alloc(bytesOf.id + bytesOf.seq);
  packId(taskId).copy(item);
  item.writeUInt32BE(seq, bytesOf.id);
  return Buffer.concat([item, seal(key, item)]).toString('hex');
}

/** The item of such an address; null for any other. */
export function readReplyAddress(key: Uint8Array, localPart: string): ReplyItem | null {
  if (!/^[0-9a-f]{60}$/i.test(localPart)) return null;
  const bytes = Buffer.from(localPart, 'hex');
  const item = bytes.subarray(0, length - bytesOf.seal);
  if (!timingSafeEqual(bytes.subarray(item.length), seal(key, item))) return null;
  return { taskId: unpackId(item), seq: item.readUInt32BE(bytesOf.id) };
}
