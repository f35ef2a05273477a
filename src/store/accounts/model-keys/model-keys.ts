import { Fault } from '@errand/base/fault.ts';
import type { Profile } from '../../../rules/instance/model-profile.ts';
import { integer, nullable, oneOf, tableCodec, text } from '../../db/row-codec.ts';
import {
  lockAccount,
  type Script,
  selectAll,
  selectFirst,
  sql,
  type SqlValue,
  type StoreOperation,
} from '../../db/store-operation.ts';
import { noteSecurityEvent } from '../security-events.ts';

const keyRow = tableCodec('model_keys', {
  id: oneOf<Profile>(),
  models: text,
  base_url: nullable(text),
  sealed_key: nullable(text),
  key_tail: nullable(text),
  revision: text,
  changed_at: integer,
});
const { read, columns } = keyRow.pick('id as profile, models, base_url, sealed_key, key_tail, revision, changed_at');

/** The models of a profile that an account has brought its own key for. */
export type StoredModelKey = ReturnType<typeof read>;

/** What an account has stored; profiles without own models are absent. */
export const listModelKeys: StoreOperation<{ accountId: string }, StoredModelKey[]> = {
  name: 'modelKeys.list',
  access: 'read',
  *run({ accountId }) {
    return (yield* selectAll(`SELECT ${columns} FROM model_keys WHERE account_id = ? ORDER BY id`, accountId)).map(read);
  },
};

/** Whether any account has own models. */
export const hasModelKeys: StoreOperation<null, boolean> = {
  name: 'modelKeys.any',
  access: 'read',
  *run() {
    return (yield* selectFirst('SELECT id FROM model_keys LIMIT 1')) !== undefined;
  },
};

interface Change {
  accountId: string;
  profile: Profile;
  /** What the account had stored when the change was checked, because profiles can share a key. */
  seen: readonly Pick<StoredModelKey, 'profile' | 'revision'>[];
  actor: string;
  now: number;
}

export interface SaveModelKeyArgs extends Change {
  key: Pick<StoredModelKey, 'models' | 'baseUrl' | 'revision'>;
  /** Null if the stored key stays: it may have been sealed anew meanwhile, with another secret. */
  secret: Pick<StoredModelKey, 'sealedKey' | 'keyTail'> | null;
  isNewKey: boolean;
}

function refuseStale(): Fault {
  return new Fault('conflict', 'This model key was changed meanwhile; read it again and repeat the change.');
}

/** Whether the account still has what was seen. Serialized per account: a key and a profile that needs it can change at the same time. */
function* checkSeen({ accountId, seen }: Pick<Change, 'accountId' | 'seen'>): Script<void> {
  yield* lockAccount(accountId);
  const rows = (yield* selectAll(`SELECT ${columns} FROM model_keys WHERE account_id = ?`, accountId)).map(read);
  const isSeen = ({ profile, revision }: StoredModelKey) =>
    seen.some((each) => each.profile === profile && each.revision === revision);
  if (rows.length !== seen.length || !rows.every(isSeen)) throw refuseStale();
}

function* writeKey({ accountId, profile, now, key, secret }: SaveModelKeyArgs): Script<void> {
  const { models, baseUrl, revision } = key;
  const set: [string, SqlValue][] = [
    ['models', models],
    ['base_url', baseUrl],
    ['revision', revision],
    ['changed_at', now],
  ];
  if (secret) set.push(['sealed_key', secret.sealedKey], ['key_tail', secret.keyTail]);
  const names = set.map(([name]) => name);
  yield [
    sql(
      `INSERT INTO model_keys (account_id, id, ${names.join(', ')}) VALUES (?, ?${', ?'.repeat(names.length)})
       ON CONFLICT (account_id, id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      accountId,
      profile,
      ...set.map(([, value]) => value),
    ),
  ];
}

/** Replaces an account's models of a profile; 409 if the account no longer has what the change was checked with. */
export const saveModelKey: StoreOperation<SaveModelKeyArgs, null> = {
  name: 'modelKeys.save',
  access: 'exclusive',
  keys: ({ accountId }) => [accountId],
  *run(args) {
    yield* checkSeen(args);
    yield* writeKey(args);
    const { accountId, profile, actor, now, isNewKey } = args;
    const { models, baseUrl } = args.key;
    const detail = { profile, models, ...(baseUrl !== null && { base_url: baseUrl }), ...(isNewKey && { api_key: 'changed' }) };
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'model_key_set', actor, detail })];
    return null;
  },
  announce: () => [{ topic: 'model_keys' }],
};

/** Removes an account's models of a profile, with their key; 404 if there are none, and the same conflict. */
export const removeModelKey: StoreOperation<Change, null> = {
  name: 'modelKeys.remove',
  access: 'exclusive',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, profile, seen, actor, now }) {
    yield* checkSeen({ accountId, seen });
    if (!seen.some((each) => each.profile === profile))
      throw new Fault('not_found', `This account has no model key for ${profile}.`);
    yield [sql('DELETE FROM model_keys WHERE account_id = ? AND id = ?', accountId, profile)];
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'model_key_removed', actor, detail: { profile } })];
    return null;
  },
  announce: () => [{ topic: 'model_keys' }],
};
