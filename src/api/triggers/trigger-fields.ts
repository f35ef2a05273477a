import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { findPlaces } from '../../rules/messages/message-template.ts';
import { isPointer } from '../../rules/triggers/json-pointer.ts';
import { mailFields, messageIdPointer } from '../../rules/triggers/mail-body.ts';
import { bodyPlace, isHeaderName, type PayloadFilter, usualDedupe } from '../../rules/triggers/payload-rules.ts';
import { type VerificationType, verificationTypes } from '../../rules/triggers/sender-verification.ts';
import { conversations, type TriggerType, triggerTypes } from '../../store/triggers/trigger-row.ts';
import { objectFields } from '../../rules/triggers/watched-bucket.ts';
import { fileFields, fileIdPointer } from '../../rules/triggers/watched-folder.ts';
import { optional } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';
import { isLongerThan } from '../contract/text-length.ts';
import { recipeSource } from '../recipes/recipe-source.ts';
import { taskSettingFields } from '../tasks/requests/task-request-fields.ts';
import { bucketField } from './bucket-fields.ts';
import { checkWatching, folderField } from './folder-fields.ts';

/** Limits of one trigger (docs/reference/choices.md#triggers). */
export const maxTemplateLength = 100_000;
const maxFilters = 20;
const maxEqualsLength = 1000;

const about = {
  type: '`http` (default): requests at `url` start its tasks; `email`: mail to `address` does, where the service receives mail; `folder`: files in `folder` do, where the operator lets accounts watch one; `bucket`: objects in `bucket` do.',
  verification: 'How a request proves that it is from its sender; for `http`.',
  secret: 'As the sender has it, at most 512 characters. If omitted, one is generated and shown once in the answer.',
  header: 'The header with the secret or the HMAC. Default: `x-trigger-secret` for `secret`, `x-signature` for `hmac_sha256`.',
  dedupe:
    'Where the sender puts the id of what it sends: a JSON pointer or the name of a header. The same id starts one task. Empty means nowhere; the default is the place of the scheme, if it has one, and `/message_id` for mail. Files are always told apart by name, size, and time, objects of buckets by key, ETag, and time.',
  filter:
    'Conditions on the payload: what `pointer` finds equals `equals`. Anything else is answered as received and starts nothing.',
  conversation: '`new` (default) starts a task for each delivery; `same` sends all of them to one task.',
  values: 'The values of its fields: texts that may have places, as `message_template` has, and a choice as it is.',
  template: `The message, at most 100,000 characters. \`{{/a/b}}\` is what this JSON pointer finds in the payload, \`{{${bodyPlace}}}\` the whole. For mail also \`{{subject}}\`, \`{{from}}\`, \`{{text}}\`, and its other parts; for files and objects \`{{name}}\`, \`{{path}}\`, \`{{size_bytes}}\`, and \`{{modified_at}}\`.`,
};

export const verificationField = z
  .object({
    type: z.enum(verificationTypes),
    secret: optional(z.string()).meta({ description: about.secret, writeOnly: true }),
    header: optional(z.string()).meta({ description: about.header }),
  })
  .meta({ description: about.verification });
export type VerificationInput = z.output<typeof verificationField>;

/** Fields of trigger.create and trigger.update besides those that only the first requires. */
export const triggerFields = {
  type: optional(z.enum(triggerTypes)).meta({ description: about.type }),
  folder: optional(folderField),
  bucket: optional(bucketField),
  dedupe: z.string().nullish().meta({ description: about.dedupe }),
  filter: optional(z.array(z.object({ pointer: z.string(), equals: z.unknown() }))).meta({ description: about.filter }),
  conversation: optional(z.enum(conversations)).meta({ description: about.conversation }),
  ...recipeSource,
  values: recipeSource.values.meta({ description: about.values }),
  ...taskSettingFields,
};

export const templateField = z.string().meta({ description: about.template });

/** What starts the tasks of a new trigger; 400 for mail where none arrives, and for folders where none may be watched. */
export function readType(type: TriggerType | undefined, context: Pick<Context, 'mailDomain' | 'watchRoots'>): TriggerType {
  if (type === 'folder') checkWatching(context);
  if (type !== 'email' || context.mailDomain !== null) return type ?? 'http';
  throw invalidField('type', 'this service receives no mail until its operator sets ERRAND_SMTP_PORT and ERRAND_MAIL_DOMAIN');
}

/** Parts of a payload that templates name without a slash. */
const namedPlaces: Readonly<Record<TriggerType, readonly string[]>> = {
  http: [],
  email: mailFields,
  folder: fileFields,
  bucket: objectFields,
};

/** What is wrong with a place of a template, for one that cannot be filled; null for none. */
export function findWrongPlace(template: string, type: TriggerType): string | null {
  const named: readonly string[] = [bodyPlace, ...namedPlaces[type]];
  const wrong = findPlaces(template).find((name) => !named.includes(name) && !isPointer(name));
  if (wrong === undefined) return null;
  const known = named.slice(0, 4).map((name) => `{{${name}}}`);
  return `{{${wrong.slice(0, 40)}}} is neither ${known.join(', ')} nor a JSON pointer such as {{/issue/title}}`;
}

/** A template whose places can all be filled; 400 names one that cannot. */
export function readTemplate(template: string, type: TriggerType): string {
  if (template.trim() === '') throw missingField('message_template');
  if (isLongerThan(template, maxTemplateLength)) {
    throw invalidField('message_template', `must have at most ${maxTemplateLength} characters`);
  }
  const wrong = findWrongPlace(template, type);
  if (wrong !== null) throw invalidField('message_template', wrong);
  return template.toWellFormed().replaceAll('\0', '');
}

/** The conditions of a trigger; 400 names one that can never be met. */
export function readFilter(filter: readonly { pointer: string; equals?: unknown }[]): PayloadFilter[] {
  if (filter.length > maxFilters) throw invalidField('filter', `must have at most ${maxFilters} conditions`);
  return filter.map(({ pointer, equals }, index) => {
    if (!isPointer(pointer)) throw invalidField(`filter[${index}].pointer`, 'must be a JSON pointer such as /action');
    if (equals === undefined) throw missingField(`filter[${index}].equals`);
    if (JSON.stringify(equals).length > maxEqualsLength) {
      throw invalidField(`filter[${index}].equals`, `must have at most ${maxEqualsLength} characters as JSON`);
    }
    return { pointer, equals };
  });
}

/** Where the sender's id is if the owner of a trigger names no place; null for nowhere. */
export function usualPlace(type: TriggerType, verification: VerificationType): string | null {
  if (type === 'folder' || type === 'bucket') return fileIdPointer;
  return type === 'email' ? messageIdPointer : usualDedupe(verification);
}

/** Where the sender's id is; null for nowhere. */
export function readDedupe(dedupe: string, type: TriggerType): string | null {
  if (type === 'folder') throw invalidField('dedupe', 'is not for folders: files are told apart by name, size, and time');
  if (type === 'bucket') throw invalidField('dedupe', 'is not for buckets: objects are told apart by key, ETag, and time');
  if (dedupe === '') return null;
  if (isPointer(dedupe) ? dedupe.length <= 500 : isHeaderName(dedupe)) return isPointer(dedupe) ? dedupe : dedupe.toLowerCase();
  throw invalidField('dedupe', 'must be a JSON pointer such as /id or the name of a header');
}
