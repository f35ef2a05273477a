import { Fault } from '@errand/base/fault.ts';
import type { TaskRequest } from '../../rules/schedules/task-request.ts';
import type { PayloadFilter } from '../../rules/triggers/payload-rules.ts';
import type { WatchedBucket } from '../../rules/triggers/watched-bucket.ts';
import type { WatchedFolder } from '../../rules/triggers/watched-folder.ts';
import type { VerificationType } from '../../rules/triggers/sender-verification.ts';
import { integer, json, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import type { SqlValue } from '../db/store-operation.ts';

export const triggerStatuses = ['active', 'paused'] as const;
export type TriggerStatus = (typeof triggerStatuses)[number];

export const triggerTypes = ['http', 'email', 'folder', 'bucket'] as const;
/** What starts its tasks: requests at a URL, mail to an address, files in a folder, or objects in a bucket. */
export type TriggerType = (typeof triggerTypes)[number];

export const conversations = ['new', 'same'] as const;
/** Whether each message starts a task of its own, or all go to one. */
export type Conversation = (typeof conversations)[number];

/** `triggers` */
export const triggerRow = tableCodec('triggers', {
  account_id: text,
  id: text,
  type: oneOf<TriggerType>(),
  name: text,
  status: oneOf<TriggerStatus>(),
  verification: oneOf<VerificationType>(),
  secret: nullable(text),
  header: nullable(text),
  token: text,
  dedupe: nullable(text),
  filter: json<PayloadFilter[]>(),
  request: json<TaskRequest>(),
  api_key_id: nullable(text),
  oauth_client_id: nullable(text),
  conversation: oneOf<Conversation>(),
  task_id: nullable(text),
  team_id: nullable(text),
  watched: nullable(json<WatchedFolder>()),
  bucket: nullable(json<WatchedBucket>()),
  watch_problem: nullable(text),
  created_at: integer,
  updated_at: integer,
});

/** Reads a trigger from a row; its secret and its token, the end of its URL or the beginning of its address, stay sealed. */
export const triggerReader = triggerRow.pick(
  'account_id, id, type, name, status, verification, secret as sealedSecret, header, token as sealedToken, dedupe, filter, request',
  'api_key_id, oauth_client_id, conversation, task_id, watched, bucket, watch_problem, created_at, updated_at',
);
export type Trigger = ReturnType<typeof triggerReader.read>;

/** What its owner decides. */
export interface TriggerSettings
  extends Pick<
      Trigger,
      'type' | 'name' | 'status' | 'verification' | 'sealedSecret' | 'header' | 'sealedToken' | 'dedupe' | 'filter'
    >,
    Pick<Trigger, 'request' | 'conversation' | 'watched' | 'bucket'> {
  /** Finds the trigger by its token. */
  tokenDigest: string;
  /** For a place that is watched from now on: objects from before this time, in milliseconds, start nothing. */
  objectsFromMs?: number;
}

export interface TriggerKey {
  accountId: string;
  triggerId: string;
}

/** Proves a look at a watched place that is under way. */
export interface LookKey extends TriggerKey {
  lookAtMs: number;
}

export function triggerNotFound(): Fault {
  return new Fault('not_found', 'trigger not found');
}

/** File systems round times, so a file may seem to be older than it is by this. */
const clockSlackMs = 2000;

/** A folder that is watched from now on: what has been there before starts nothing. */
function beginWatching(watched: WatchedFolder | null | undefined, now: number): Record<string, SqlValue> {
  if (!watched) return {};
  const seen = { seen_at: now - clockSlackMs, seen_name: '' };
  return { watched: JSON.stringify(watched), look_at: now, ...seen, watch_problem: null };
}

/** A bucket that is looked at now, and watched anew if it is another place than before. */
function beginBucket({ bucket, objectsFromMs }: Partial<TriggerSettings>, now: number): Record<string, SqlValue> {
  if (!bucket) return {};
  const begun = objectsFromMs === undefined ? {} : { seen_at: objectsFromMs, seen_name: '' };
  return { bucket: JSON.stringify(bucket), look_at: now, ...begun, watch_problem: null, watch_failures: 0 };
}

/** The columns of these settings. */
export function packSettings(settings: Partial<TriggerSettings>, now: number): Record<string, SqlValue> {
  const { type, name, status, verification, sealedSecret, header, sealedToken, tokenDigest, dedupe, filter, request } = settings;
  const values: Record<string, SqlValue | undefined> = {
    ...{ type, name, status, verification, secret: sealedSecret, header, token: sealedToken, token_digest: tokenDigest, dedupe },
    filter: filter && JSON.stringify(filter),
    request: request && JSON.stringify(request),
    conversation: settings.conversation,
    ...beginWatching(settings.watched, now),
    ...beginBucket(settings, now),
  };
  return Object.fromEntries(Object.entries(values).flatMap(([column, value]) => (value === undefined ? [] : [[column, value]])));
}
