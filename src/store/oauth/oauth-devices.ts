import type { Scope } from '../../rules/accounts/access.ts';
import { formatScopes } from '../../rules/oauth/oauth-scopes.ts';
import type { TokenPlace } from '../../rules/oauth/oauth-token.ts';
import { deleteSome, type StoreOperation, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { scopeList } from './oauth-apps.ts';
import { createGrant, type CreateGrantArgs } from './oauth-grants.ts';
import { computedCodec, integer, oneOf, tableCodec, text } from '../db/row-codec.ts';

const deviceRow = tableCodec('oauth_devices', {
  digest: text,
  client_id: text,
  scopes: scopeList,
  status: oneOf<'waiting' | 'allowed' | 'denied'>(),
  polled_at: integer,
});
const waitingDevice = deviceRow.pick('digest, client_id, scopes');
export type WaitingDevice = ReturnType<typeof waitingDevice.read>;
const allowedRow = computedCodec('a device that is allowed', { account_id: text, grant_id: text });

/** Placeholder for redirect URI and challenge in a grant of a device. */
export const deviceCode = { redirectUri: 'urn:device', challenge: '' } as const;

export interface CreateDeviceArgs {
  digest: string;
  userCode: string;
  clientId: string;
  scopes: readonly Scope[];
  expiresAtMs: number;
}

/** Stores a device that starts waiting; false if its user code is taken. */
export const createDevice: StoreOperation<CreateDeviceArgs, boolean> = {
  name: 'oauthDevices.create',
  access: 'write',
  *run({ digest, userCode, clientId, scopes, expiresAtMs }) {
    const added = yield* selectAll(
      `INSERT INTO oauth_devices (digest, user_code, client_id, scopes, status, polled_at, expires_at)
       VALUES (?, ?, ?, ?, 'waiting', 0, ?) ON CONFLICT DO NOTHING RETURNING digest`,
      digest,
      userCode,
      clientId,
      formatScopes(scopes),
      expiresAtMs,
    );
    return added.length === 1;
  },
};

/** The device waiting under this user code, or null. */
export const findDevice: StoreOperation<{ userCode: string; now: number }, WaitingDevice | null> = {
  name: 'oauthDevices.find',
  access: 'read',
  *run({ userCode, now }) {
    const row = yield* selectFirst(
      `SELECT ${waitingDevice.columns} FROM oauth_devices WHERE user_code = ? AND status = 'waiting' AND expires_at > ?`,
      userCode,
      now,
    );
    return row ? waitingDevice.read(row) : null;
  },
};

export interface DecideDeviceArgs {
  userCode: string;
  now: number;
  /** The user's decision; null if denied. */
  grant: CreateGrantArgs | null;
}

/** Stores the user's decision; false if it was already decided or has expired. */
export const decideDevice: StoreOperation<DecideDeviceArgs, boolean> = {
  name: 'oauthDevices.decide',
  access: 'exclusive',
  *run({ userCode, now, grant }) {
    const decided = yield* selectFirst(
      `UPDATE oauth_devices SET status = ?, account_id = ?, grant_id = ?
       WHERE user_code = ? AND status = 'waiting' AND expires_at > ? RETURNING digest`,
      grant ? 'allowed' : 'denied',
      grant?.accountId ?? null,
      grant?.grantId ?? null,
      userCode,
      now,
    );
    if (!decided) return false;
    if (grant) yield* createGrant.run(grant);
    return true;
  },
};

export type DeviceState =
  | { status: 'unknown' }
  | { status: 'waiting' }
  | { status: 'hasty' }
  | { status: 'denied' }
  /** The code can be exchanged. */
  | { status: 'allowed'; place: TokenPlace };

/** The state of a polling device. Polling again within the interval is too fast. */
export const pollDevice: StoreOperation<{ digest: string; clientId: string; now: number; intervalMs: number }, DeviceState> = {
  name: 'oauthDevices.poll',
  access: 'write',
  keys: ({ digest }) => [digest],
  *run({ digest, clientId, now, intervalMs }) {
    const row = yield* selectFirst(
      'SELECT status, account_id, grant_id, polled_at FROM oauth_devices WHERE digest = ? AND client_id = ? AND expires_at > ? FOR UPDATE',
      digest,
      clientId,
      now,
    );
    if (!row) return { status: 'unknown' };
    if (deviceRow.status(row) === 'allowed') return { status: 'allowed', place: allowedRow.read(row) };
    if (deviceRow.status(row) === 'denied') return { status: 'denied' };
    yield [sql('UPDATE oauth_devices SET polled_at = ? WHERE digest = ?', now, digest)];
    return { status: now - deviceRow.polled_at(row) < intervalMs ? 'hasty' : 'waiting' };
  },
};

/** Deletes expired devices, at most `limit` at once; returns their number. */
export const deleteExpiredDevices: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'oauthDevices.deleteExpired',
  access: 'exclusive',
  *run({ now, limit }) {
    const from = { table: 'oauth_devices', key: 'digest', where: 'expires_at <= ?', limit };
    return yield* deleteSome(from, now);
  },
};
