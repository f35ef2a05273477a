import type { Attachment } from '../../rules/events/task-event.ts';
import { Fault } from '@errand/base/fault.ts';
import { contentTypeOf } from '../../rules/files/content-type.ts';
import { readFilename, uploadLimits } from '../../rules/files/upload-policy.ts';
import { meetsFilters } from '../../rules/triggers/payload-rules.ts';
import type { ObjectBody } from '../../rules/triggers/watched-bucket.ts';
import { type FileBody, mayPassLater } from '../../rules/triggers/watched-folder.ts';
import type { TakenObject } from '../../store/triggers/fire-trigger.ts';
import type { TriggerOutcome } from '../../store/triggers/trigger-events.ts';
import type { Trigger } from '../../store/triggers/trigger-row.ts';
import { type DeliveryPorts, recordEnd, startFrom } from './delivery-ends.ts';
import type { TriggerDelivery } from './trigger-firing.ts';

/** A file of a watched folder, or an object of a watched bucket. */
export interface FoundFile {
  body: FileBody | ObjectBody;
  /** Records the object with its task. */
  taken?: TakenObject;
  /** Reads it; fails if it is another than `body` describes by now. */
  read(): AsyncIterable<Uint8Array>;
}

const megabyte = 1024 * 1024;

async function storeFile(
  { body, taken, read }: FoundFile,
  { accountId }: Trigger,
  { context }: DeliveryPorts,
): Promise<Attachment[]> {
  const { fileBytes } = uploadLimits;
  if (body.size_bytes > fileBytes) {
    throw new Fault('payload_too_large', `The file is larger than ${fileBytes / megabyte} MB.`);
  }
  // Whoever puts objects into a bucket is a stranger; files of the server are the operator's.
  const filename = taken ? readFilename('name', body.name) : body.name;
  const blob = await context.intake.blobs.put(accountId, read(), { maxBytes: fileBytes });
  const contentType = contentTypeOf(filename);
  const kind = contentType.startsWith('image/') ? 'image' : 'file';
  return [{ kind, filename, contentType, blobId: blob.blobId, bytes: blob.bytes }];
}

/**
 * Starts the task of a file at most once for each of its states. Its end is among the trigger's deliveries when this resolves. Rejects
 * with a fault that says whether another attempt may succeed (`mayPassLater`), which leaves no delivery behind, or as `read` does.
 */
export async function receiveFile(trigger: Trigger, file: FoundFile, ports: DeliveryPorts): Promise<TriggerOutcome> {
  const text = JSON.stringify(file.body);
  const headers = { subject: file.body.path, 'content-type': 'application/json' };
  const payload = { text, document: file.body };
  const bodyBytes = Buffer.byteLength(text);
  const delivery: TriggerDelivery = { cause: 'delivery', headers, payload, bodyBytes, object: file.taken };
  if (!meetsFilters(payload, trigger.filter)) {
    await recordEnd(trigger, delivery, ports, { outcome: 'filtered', problem: null });
    return 'filtered';
  }
  return (await startFrom(trigger, delivery, ports, () => storeFile(file, trigger, ports), mayPassLater)).outcome;
}
