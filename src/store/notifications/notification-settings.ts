import { nextDigestTime, type NotificationSettings, usualSettings } from '../../rules/notifications/notification-settings.ts';
import { integer, json, nullable, tableCodec } from '../db/row-codec.ts';
import { selectAll, selectFirst, selectOne, sql, type StoreOperation } from '../db/store-operation.ts';
import { clockRow } from '../db/shared-rows.ts';

/** `notification_settings` */
export const notificationSettingsRow = tableCodec('notification_settings', {
  settings: json<NotificationSettings>(),
  next_digest_at: nullable(integer),
  digested_at: integer,
});

/** What a person has chosen, or what is usual. */
export const getNotificationSettings: StoreOperation<{ accountId: string }, NotificationSettings> = {
  name: 'notifications.getSettings',
  access: 'read',
  *run({ accountId }) {
    const row = yield* selectFirst('SELECT settings FROM notification_settings WHERE account_id = ?', accountId);
    return row ? notificationSettingsRow.settings(row) : usualSettings;
  },
};

export interface SaveNotificationSettingsArgs {
  accountId: string;
  /** What changes; the rest stays. */
  change: Partial<NotificationSettings>;
}

/** Changes what a person has chosen. A digest begins with what happens from now on. */
export const saveNotificationSettings: StoreOperation<SaveNotificationSettingsArgs, NotificationSettings> = {
  name: 'notifications.saveSettings',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, change }) {
    const now = clockRow.now(yield* selectOne('SELECT errand_now() AS now'));
    yield* selectAll(
      `INSERT INTO notification_settings (account_id, settings, digested_at) VALUES (?, ?, ?)
       ON CONFLICT (account_id) DO NOTHING RETURNING account_id`,
      ...[accountId, JSON.stringify(usualSettings), now],
    );
    const row = yield* selectOne('SELECT settings FROM notification_settings WHERE account_id = ? FOR UPDATE', accountId);
    const before = notificationSettingsRow.settings(row);
    const settings = { ...before, ...change };
    const begins = before.digest === 'none' && settings.digest !== 'none';
    yield [
      sql(
        `UPDATE notification_settings SET settings = ?, next_digest_at = ?,
         digested_at = CASE WHEN ? = 1 THEN ? ELSE digested_at END WHERE account_id = ?`,
        ...[JSON.stringify(settings), nextDigestTime(settings, now), begins ? 1 : 0, now, accountId],
      ),
    ];
    return settings;
  },
  announce: () => [{ topic: 'notifications' }],
};
