import type { Request, Trigger } from '@errand/client';
import { clearing } from '../api/errand.ts';
import { readRecipeSource, type RecipeDraft, toSource } from '../automation/recipe-choice.tsx';
import { readTaskSettings, type TaskSettings, toTaskFields } from '../automation/task-settings.tsx';
import { readFilterValue, showFilterValue } from './filter-value.ts';

export type Verification = Trigger['verification']['type'];

/** How senders prove themselves, or that they write mail or leave files or objects. */
export type SenderKind = Verification | 'email' | 'folder' | 'bucket';

/** The kind of sender of a trigger. */
export function senderKindOf({ type, verification }: Pick<Trigger, 'type' | 'verification'>): SenderKind {
  return type === 'http' ? verification.type : type;
}

/** What starts the tasks of a trigger for this kind of sender. */
export function typeOf(sender: SenderKind): Trigger['type'] {
  return sender === 'email' || sender === 'folder' || sender === 'bucket' ? sender : 'http';
}

/** The header of the schemes that let one choose. */
export const usualHeaders: Partial<Record<SenderKind, string>> = { hmac_sha256: 'x-signature', secret: 'x-trigger-secret' };

/** A condition on the payload. */
export interface Condition {
  pointer: string;
  equals: string;
}

/** What is entered about a bucket. Its keys are empty unless they are entered now. */
export interface BucketForm extends NonNullable<Trigger['bucket']> {
  accessKeyId: string;
  secretAccessKey: string;
}

/** What is entered about a trigger. */
export interface TriggerForm {
  name: string;
  template: string;
  recipe: RecipeDraft;
  sender: SenderKind;
  header: string;
  secret: string;
  folder: { root: string; path: string; pattern: string };
  bucket: BucketForm;
  filter: readonly Condition[];
  dedupe: string;
  conversation: Trigger['conversation'];
  settings: TaskSettings;
}

const noBucket = { endpoint: '', region: 'us-east-1', name: '', prefix: '', pattern: '*', after: 'keep' } as const;

/** The form of a trigger; null for a new one. */
export function readForm(trigger: Trigger | null): TriggerForm {
  return {
    name: trigger?.name ?? '',
    template: trigger?.message_template ?? '',
    recipe: readRecipeSource(trigger),
    sender: trigger ? senderKindOf(trigger) : 'github',
    header: trigger?.verification.header ?? '',
    secret: '',
    folder: trigger?.folder ?? { root: '', path: '', pattern: '*' },
    bucket: { ...(trigger?.bucket ?? noBucket), accessKeyId: '', secretAccessKey: '' },
    filter: trigger?.filter.map(({ pointer, equals }) => ({ pointer, equals: showFilterValue(equals) })) ?? [],
    dedupe: trigger?.dedupe ?? '',
    conversation: trigger?.conversation ?? 'new',
    settings: readTaskSettings(trigger),
  };
}

function toVerification({ sender, header, secret }: TriggerForm) {
  const type = typeOf(sender) === 'http' ? (sender as Verification) : 'none';
  const named = usualHeaders[type] !== undefined && header.trim() !== '';
  const hasSecret = type !== 'none' && secret.trim() !== '';
  return { type, ...(named && { header: header.trim() }), ...(hasSecret && { secret: secret.trim() }) };
}

/** What its tasks begin with; null where that stays as it is. */
function toBeginning({ recipe, template }: TriggerForm, before: TriggerForm) {
  const known = { recipe: before.recipe, text: before.template };
  return toSource({ recipe, text: template }, known, (text) => ({ message_template: text }));
}

function toFields({ name, filter, conversation, settings }: TriggerForm) {
  const conditions = filter.filter(({ pointer }) => pointer.trim() !== '');
  return {
    name,
    filter: conditions.map(({ pointer, equals }) => ({ pointer: pointer.trim(), equals: readFilterValue(equals) })),
    conversation,
    ...toTaskFields(settings),
  };
}

function toFolder({ folder: { root, path, pattern } }: TriggerForm) {
  return { root: root.trim(), path: path.trim(), pattern: pattern.trim() || '*' };
}

function toBucket({ bucket: { accessKeyId, secretAccessKey, ...bucket } }: TriggerForm) {
  const keys = { access_key_id: accessKeyId.trim(), secret_access_key: secretAccessKey.trim() };
  const hasKeys = keys.access_key_id !== '' || keys.secret_access_key !== '';
  const { endpoint, region, name, prefix, pattern, after } = bucket;
  const place = { endpoint: endpoint.trim(), region: region.trim() || noBucket.region, name: name.trim(), prefix };
  return { ...place, pattern: pattern.trim() || '*', after, ...(hasKeys && keys) };
}

function toSender(form: TriggerForm) {
  if (form.sender === 'bucket') return { type: form.sender, bucket: toBucket(form) };
  if (form.sender === 'folder') return { type: form.sender, folder: toFolder(form) };
  return form.sender === 'email' ? { type: form.sender } : { verification: toVerification(form) };
}

/** The request that creates the trigger. */
export function toNewTrigger(form: TriggerForm): Request<'trigger.create'> {
  return clearing<'trigger.create'>({
    ...toFields(form),
    ...toBeginning(form, readForm(null)),
    ...toSender(form),
    ...(form.sender !== 'folder' && form.sender !== 'bucket' && { dedupe: form.dedupe.trim() || null }),
  });
}

/** The request that changes it. How senders prove themselves, and where their ids are, is only sent if it changes. */
export function toTriggerChange(form: TriggerForm, trigger: Trigger): Request<'trigger.update'> {
  const before = readForm(trigger);
  const isReverified = JSON.stringify(toVerification(form)) !== JSON.stringify(toVerification(before));
  return clearing<'trigger.update'>({
    trigger_id: trigger.id,
    ...toFields(form),
    ...toBeginning(form, before),
    ...(isReverified && { verification: toVerification(form) }),
    ...(JSON.stringify(form.folder) !== JSON.stringify(before.folder) && { folder: toFolder(form) }),
    ...(JSON.stringify(form.bucket) !== JSON.stringify(before.bucket) && { bucket: toBucket(form) }),
    ...(form.dedupe !== before.dedupe && { dedupe: form.dedupe.trim() || null }),
  });
}
