import type { Readable } from 'node:stream';

export interface MailRoom {
  /** How long the mail may be. */
  mostBytes: number;
  /** Called when it has become longer: nothing of it is held from then on. */
  overflow(): void;
}

/** All of a mail; null if it is longer than its room, after its end. A sender that breaks off is an error. */
export async function collectMail(stream: Readable, { mostBytes, overflow }: MailRoom): Promise<Uint8Array | null> {
  // In one piece: a sender decides into how many chunks its bytes come, and each would cost more than its bytes.
  let room: Buffer | null = Buffer.allocUnsafeSlow(mostBytes);
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (room === null) continue;
    if (length + chunk.length > mostBytes) {
      room = null;
      overflow();
    } else {
      room.set(chunk, length);
      length += chunk.length;
    }
  }
  // A copy without the rest of the room, with which it would go to the thread that reads it.
  return room && new Uint8Array(room.subarray(0, length));
}
