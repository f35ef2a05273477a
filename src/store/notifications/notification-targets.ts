/** Where a notification is sent, in place of which its row has the id of a subscription. */
import { marks, type Script, selectAll } from '../db/store-operation.ts';
import { subscriptionRow } from './push-subscriptions.ts';

/** The target that stands for email. */
export const emailTarget = 'email';
/** Prefix of a target that is a chat; the id of the chat follows. */
const chatPrefix = 'chat:';

/** The chat of a target; null for a target of another kind. */
export function readChatTarget(target: string): string | null {
  return target.startsWith(chatPrefix) ? target.slice(chatPrefix.length) : null;
}

/** The linked chats of these people on platforms that this process serves. */
export function* findChats(accountIds: readonly string[], platforms: readonly string[]): Script<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>();
  if (accountIds.length === 0 || platforms.length === 0) return found;
  const rows = yield* selectAll(
    `SELECT account_id, id FROM bridge_chats WHERE account_id IN (${marks(accountIds.length)})
     AND platform IN (${marks(platforms.length)}) AND problem IS NULL`,
    ...[...accountIds, ...platforms],
  );
  for (const row of rows) {
    const accountId = subscriptionRow.account_id(row);
    found.set(accountId, [...(found.get(accountId) ?? []), `${chatPrefix}${subscriptionRow.id(row)}`]);
  }
  return found;
}

/** Where notifications of these people can be pushed to. */
export function* findSubscriptions(accountIds: readonly string[], now: number): Script<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>();
  if (accountIds.length === 0) return found;
  const rows = yield* selectAll(
    `SELECT p.account_id, p.id FROM push_subscriptions p JOIN sessions s ON s.account_id = p.account_id AND s.id = p.session_id
     WHERE p.account_id IN (${marks(accountIds.length)}) AND s.expires_at > ?`,
    ...accountIds,
    now,
  );
  for (const row of rows) {
    const accountId = subscriptionRow.account_id(row);
    found.set(accountId, [...(found.get(accountId) ?? []), subscriptionRow.id(row)]);
  }
  return found;
}
