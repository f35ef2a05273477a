import { Readable } from 'node:stream';
import type { Attachment } from '../../rules/events/task-event.ts';
import type { MailBody } from '../../rules/triggers/mail-body.ts';
import { meetsFilters } from '../../rules/triggers/payload-rules.ts';
import type { TriggerOutcome } from '../../store/triggers/trigger-events.ts';
import type { Trigger } from '../../store/triggers/trigger-row.ts';
import { type DeliveryPorts, recordEnd, startFrom } from './delivery-ends.ts';
import type { TriggerDelivery } from './trigger-firing.ts';

/** A file of a mail, with a name that is safe. */
export interface MailFile {
  filename: string;
  contentType: string;
  bytes: Uint8Array;
}

/** A mail whose parts are known. */
export interface ReadMail {
  body: MailBody;
  files: readonly MailFile[];
  /** What was left out, as sentences. */
  notes: readonly string[];
  /** Why it must start no task, as a sentence; null if it may. */
  loop: string | null;
}

/** The headers that say what it is, with what the service has found out about its sender in place of what others claim. */
function headersOf({ body }: ReadMail): Record<string, string> {
  const { from, subject, message_id, spf, dkim, dmarc } = body;
  return {
    ...body.headers,
    ...{ from, subject, 'message-id': message_id, 'content-type': 'application/json' },
    'authentication-results': `spf=${spf}; dkim=${dkim}; dmarc=${dmarc}`,
  };
}

function describeMail(mail: ReadMail): TriggerDelivery {
  const text = JSON.stringify(mail.body);
  const payload = { text, document: mail.body };
  const notes = mail.loop === null ? mail.notes : [...mail.notes, mail.loop];
  return { cause: 'delivery', headers: headersOf(mail), payload, bodyBytes: Buffer.byteLength(text), notes };
}

/** Stores the files, one after another; the write that starts the task keeps them. */
async function storeFiles({ files }: ReadMail, { accountId }: Trigger, { context }: DeliveryPorts): Promise<Attachment[]> {
  const stored: Attachment[] = [];
  for (const { filename, contentType, bytes } of files) {
    const blob = await context.intake.blobs.put(accountId, Readable.from([bytes]), { maxBytes: bytes.byteLength });
    const kind = contentType.startsWith('image/') ? 'image' : 'file';
    stored.push({ kind, filename, contentType, blobId: blob.blobId, bytes: blob.bytes });
  }
  return stored;
}

/** Whether name servers that do not answer are all that keeps a mail from meeting the filters. */
function isUndecided({ body }: ReadMail, { payload }: TriggerDelivery, { filter }: Trigger): boolean {
  const open = (['spf', 'dkim', 'dmarc'] as const).filter((name) => body[name] === 'temperror').map((name) => `/${name}`);
  const unmet = filter.filter((one) => !meetsFilters(payload, [one]));
  return unmet.length > 0 && unmet.every(({ pointer }) => open.includes(pointer));
}

/**
 * Starts the task of a mail at most once. Its end is durable and among the trigger's deliveries when this resolves, unless it is
 * `undecided`: only a repetition can tell. Rejects with a fault that says nothing of the account.
 */
export async function receiveMail(trigger: Trigger, mail: ReadMail, ports: DeliveryPorts): Promise<TriggerOutcome | 'undecided'> {
  const delivery = describeMail(mail);
  if (mail.loop === null && isUndecided(mail, delivery, trigger)) return 'undecided';
  if (mail.loop !== null || !meetsFilters(delivery.payload, trigger.filter)) {
    await recordEnd(trigger, delivery, ports, { outcome: 'filtered', problem: null });
    return 'filtered';
  }
  return (await startFrom(trigger, delivery, ports, () => storeFiles(mail, trigger, ports))).outcome;
}
