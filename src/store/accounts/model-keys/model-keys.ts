import { Fault } from '@errand/base/fault.ts';
import type { Profile } from '../../../rules/instance/model-profile.ts';
import { integer, nullable, oneOf, tableCodec, text } from '../../db/row-codec.ts';
import { type Script, selectAll, selectFirst, type SqlValue, type StoreOperation } from '../../db/store-operation.ts';
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
  /** The revision that the change was made from; null if nothing was stored. */
  from: string | null;
  actor: string;
  now: number;
}

export interface SaveModelKeyArgs extends Change {
  key: Pick<StoredModelKey, 'models' | 'baseUrl' | 'sealedKey' | 'keyTail' | 'revision'>;
  isNewKey: boolean;
}

function refuseStale(): Fault {
  return new Fault('conflict', 'This model key was changed meanwhile; read it again and repeat the change.');
}

function* writeKey({ accountId, profile, from, now, key }: SaveModelKeyArgs): Script<boolean> {
  const { models, baseUrl, sealedKey, keyTail, revision } = key;
  const values: SqlValue[] = [models, baseUrl, sealedKey, keyTail, revision, now, accountId, profile];
  const written =
    from === null
      ? yield* selectFirst(
          `INSERT INTO model_keys (models, base_url, sealed_key, key_tail, revision, changed_at, account_id, id)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
          ...values,
        )
      : yield* selectFirst(
          `UPDATE model_keys SET models = ?, base_url = ?, sealed_key = ?, key_tail = ?, revision = ?, changed_at = ?
           WHERE account_id = ? AND id = ? AND revision = ? RETURNING id`,
          ...values,
          from,
        );
  return written !== undefined;
}

/** Replaces an account's models of a profile; 409 if they are no longer those that the change was made from. */
export const saveModelKey: StoreOperation<SaveModelKeyArgs, null> = {
  name: 'modelKeys.save',
  access: 'exclusive',
  keys: ({ accountId }) => [accountId],
  *run(args) {
    if (!(yield* writeKey(args))) throw refuseStale();
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
  *run({ accountId, profile, from, actor, now }) {
    if (from === null) throw new Fault('not_found', `This account has no model key for ${profile}.`);
    const removed = yield* selectFirst(
      'DELETE FROM model_keys WHERE account_id = ? AND id = ? AND revision = ? RETURNING id',
      accountId,
      profile,
      from,
    );
    if (!removed) throw refuseStale();
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'model_key_removed', actor, detail: { profile } })];
    return null;
  },
  announce: () => [{ topic: 'model_keys' }],
};
