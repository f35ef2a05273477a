import { Fault } from '@errand/base/fault.ts';
import { insertRow, type StoreOperation, type Script, selectAll, sql, findRow, lockRow } from '../db/store-operation.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { flag, integer, tableCodec, text } from '../db/row-codec.ts';

/** Maximum number of secrets per application (docs/reference/wire-format.md#applications): enough to rotate one without downtime. */
export const maxAppSecrets = 5;

/** A client secret without its value, of which only a digest is stored. */
export interface AppSecret {
  id: string;
  /** The last four characters. */
  tail: string;
  createdAtMs: number;
}

export interface NewAppSecret extends AppSecret {
  digest: string;
}

interface SecretPlace {
  accountId: string;
  clientId: string;
}

const secretRow = tableCodec('oauth_secrets', { id: text, tail: text, created_at: integer });
const clientRow = tableCodec('oauth_apps', { is_public: flag });

/** Part of an operation that has locked or just created the application. */
export function* addSecret(
  { accountId, clientId }: SecretPlace,
  { id, digest, tail, createdAtMs }: NewAppSecret,
): Script<AppSecret> {
  const live = yield* selectAll('SELECT id FROM oauth_secrets WHERE account_id = ? AND client_id = ?', accountId, clientId);
  if (live.length >= maxAppSecrets) {
    throw new Fault('resource_exhausted', `An application can have ${maxAppSecrets} secrets; revoke one that is no longer used.`);
  }
  yield [insertRow('oauth_secrets', { account_id: accountId, client_id: clientId, id, digest, tail, created_at: createdAtMs })];
  return { id, tail, createdAtMs };
}

export const createAppSecret: StoreOperation<SecretPlace & { secret: NewAppSecret; actor: string }, AppSecret> = {
  name: 'oauthSecrets.create',
  access: 'write',
  keys: ({ accountId, clientId }) => [accountId, clientId],
  *run({ accountId, clientId, secret, actor }) {
    const app = yield* lockRow('is_public', 'oauth_apps', { account_id: accountId, client_id: clientId });
    if (!app) throw new Fault('not_found', 'application not found');
    if (clientRow.is_public(app)) throw new Fault('invalid_argument', 'A public application has no secrets.');
    const added = yield* addSecret({ accountId, clientId }, secret);
    const detail = { client_id: clientId, secret_id: secret.id };
    yield [noteSecurityEvent({ accountId, atMs: secret.createdAtMs, kind: 'secret_created', actor, detail })];
    return added;
  },
};

/** The application's secrets, oldest first. */
export const listAppSecrets: StoreOperation<SecretPlace, AppSecret[]> = {
  name: 'oauthSecrets.list',
  access: 'read',
  *run({ accountId, clientId }) {
    const rows = yield* selectAll(
      `SELECT ${secretRow.columns} FROM oauth_secrets WHERE account_id = ? AND client_id = ? ORDER BY id`,
      accountId,
      clientId,
    );
    return rows.map(secretRow.read);
  },
};

/** Revokes a secret, effective immediately. */
export const revokeAppSecret: StoreOperation<SecretPlace & { secretId: string; actor: string; now: number }, null> = {
  name: 'oauthSecrets.revoke',
  access: 'write',
  keys: ({ accountId, clientId }) => [accountId, clientId],
  *run({ accountId, clientId, secretId, actor, now }) {
    const [gone] = yield [
      sql(
        'DELETE FROM oauth_secrets WHERE account_id = ? AND client_id = ? AND id = ? RETURNING id',
        accountId,
        clientId,
        secretId,
      ),
    ];
    if (gone?.length !== 1) throw new Fault('not_found', 'secret not found');
    const detail = { client_id: clientId, secret_id: secretId };
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'secret_revoked', actor, detail })];
    return null;
  },
};

/** Whether one of the application's secrets has this digest. */
export const matchesAppSecret: StoreOperation<SecretPlace & { digest: string }, boolean> = {
  name: 'oauthSecrets.matches',
  access: 'read',
  *run({ accountId, clientId, digest }) {
    const row = yield* findRow('id', 'oauth_secrets', { account_id: accountId, client_id: clientId, digest });
    return row !== undefined;
  },
};
