import { Fault } from '@errand/base/fault.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import type { Profile } from '../../rules/instance/model-profile.ts';
import { integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { type Script, selectAll, selectFirst, type SqlValue, type StoreOperation } from '../db/store-operation.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';

const settingsRow = tableCodec('model_settings', {
  profile: oneOf<Profile>(),
  models: text,
  base_url: nullable(text),
  sealed_key: nullable(text),
  key_tail: nullable(text),
  revision: text,
  changed_at: integer,
});
const { read: readSettings, columns } = settingsRow;

/** The models of a profile, as the operator set them in the service. */
export type StoredModelSettings = ReturnType<typeof readSettings>;

/** What is stored of a profile; profiles without settings are absent. */
export const listModelSettings: StoreOperation<null, StoredModelSettings[]> = {
  name: 'modelSettings.list',
  access: 'read',
  *run() {
    return (yield* selectAll(`SELECT ${columns} FROM model_settings ORDER BY profile`)).map(readSettings);
  },
};

interface Change {
  profile: Profile;
  /** The revision that the change was made from; null if there were no settings. */
  from: string | null;
  actor: string;
  now: number;
}

export interface SaveModelSettingsArgs extends Change {
  settings: Pick<StoredModelSettings, 'models' | 'baseUrl' | 'sealedKey' | 'keyTail' | 'revision'>;
  isNewKey: boolean;
}

function refuseStale(): Fault {
  return new Fault('conflict', 'The models of this profile were changed meanwhile; read them again and repeat the change.');
}

function* writeSettings({ profile, from, now, settings }: SaveModelSettingsArgs): Script<boolean> {
  const { models, baseUrl, sealedKey, keyTail, revision } = settings;
  const values: SqlValue[] = [models, baseUrl, sealedKey, keyTail, revision, now, profile];
  const written =
    from === null
      ? yield* selectFirst(
          `INSERT INTO model_settings (models, base_url, sealed_key, key_tail, revision, changed_at, profile)
           VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING profile`,
          ...values,
        )
      : yield* selectFirst(
          `UPDATE model_settings SET models = ?, base_url = ?, sealed_key = ?, key_tail = ?, revision = ?, changed_at = ?
           WHERE profile = ? AND revision = ? RETURNING profile`,
          ...values,
          from,
        );
  return written !== undefined;
}

/** Replaces the settings of a profile; 409 if they are no longer those that the change was made from. */
export const saveModelSettings: StoreOperation<SaveModelSettingsArgs, null> = {
  name: 'modelSettings.save',
  access: 'exclusive',
  *run(args) {
    if (!(yield* writeSettings(args))) throw refuseStale();
    const { profile, actor, now, isNewKey } = args;
    const { models, baseUrl } = args.settings;
    const detail = { profile, models, ...(baseUrl !== null && { base_url: baseUrl }), ...(isNewKey && { api_key: 'changed' }) };
    yield [noteSecurityEvent({ accountId: instanceRecord, atMs: now, kind: 'models_set', actor, detail })];
    return null;
  },
  announce: () => [{ topic: 'models' }],
};

/** Removes the settings of a profile, with their key; the same conflict. */
export const removeModelSettings: StoreOperation<Change, null> = {
  name: 'modelSettings.remove',
  access: 'exclusive',
  *run({ profile, from, actor, now }) {
    const removed = yield* selectFirst(
      'DELETE FROM model_settings WHERE profile = ? AND revision = ? RETURNING profile',
      profile,
      from,
    );
    if (!removed) throw refuseStale();
    yield [noteSecurityEvent({ accountId: instanceRecord, atMs: now, kind: 'models_reset', actor, detail: { profile } })];
    return null;
  },
  announce: () => [{ topic: 'models' }],
};
