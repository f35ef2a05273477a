import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { searchSession } from '../../oauth/pages/session/session-service.ts';
import { findKeyOwner, touchApiKeys } from '../../store/accounts/api-keys.ts';
import { findInstanceKey, touchInstanceKeys } from '../../store/instance/instance-keys.ts';
import { touchSessions } from '../../store/accounts/sessions.ts';
import type { Database } from '../../store/db/database.ts';
import type { TokenOwner } from '../server/http-parts.ts';
import { readTaskToken } from '../../rules/tasks/task-token.ts';
import { findTaskTokenOwner } from '../../store/accounts/task-tokens.ts';
import type { AuthenticateParts, TaskTokenOwner } from './authenticate.ts';
import { CredentialOwners } from './credential-owners.ts';
import { CredentialUse } from './credential-use.ts';

export interface CredentialsParts {
  database: Database;
  clock: Clock;
  log: Log;
  findTokenOwner(digest: string, token: string): Promise<TokenOwner | null>;
  /** Signs task tokens; null if this process cannot. */
  contentKey: Uint8Array | null;
}

/** Owners of keys, access tokens, and sessions, and their last use. */
export interface Credentials
  extends Pick<AuthenticateParts, 'keys' | 'instanceKeys' | 'taskTokens' | 'tokens' | 'sessions' | 'use' | 'now'> {
  /** Records pending use; no lookups after this. */
  close(): Promise<void>;
}

/** The owner of a task token, if all that it depends on is still there. */
async function searchTaskToken(
  { database, clock, contentKey }: Pick<CredentialsParts, 'database' | 'clock' | 'contentKey'>,
  token: string,
): Promise<TaskTokenOwner | null> {
  const claims = contentKey && readTaskToken(contentKey, token, clock.now());
  const owner = claims && (await database.run(findTaskTokenOwner, { ...claims, now: clock.now() }));
  return claims && owner && { ...owner, ...claims };
}

/** Opens the credentials of one run of the servers. Use is recorded to half a minute, that of sessions to a quarter of an hour. */
export function openCredentials({ database, clock, log, findTokenOwner, contentKey }: CredentialsParts): Credentials {
  const { hints } = database;
  const owners = {
    keys: new CredentialOwners(hints, clock, (digest) => database.run(findKeyOwner, digest)),
    instanceKeys: new CredentialOwners(hints, clock, (digest) => database.run(findInstanceKey, digest)),
    taskTokens: new CredentialOwners(hints, clock, (_digest, token) => searchTaskToken({ database, clock, contentKey }, token)),
    tokens: new CredentialOwners(hints, clock, findTokenOwner),
    sessions: new CredentialOwners(hints, clock, (_digest, cookie) => searchSession(database, clock, cookie)),
  };
  const use = {
    keys: new CredentialUse({
      ...{ clock, log, gatherMs: 30_000 },
      write: (used, now) =>
        database.run(touchApiKeys, { now, keys: used.map(({ accountId, id }) => ({ accountId, keyId: id })) }),
    }),
    instanceKeys: new CredentialUse({
      ...{ clock, log, gatherMs: 30_000 },
      write: (used, now) => database.run(touchInstanceKeys, { now, keyIds: used.map(({ id }) => id) }),
    }),
    sessions: new CredentialUse({
      ...{ clock, log, gatherMs: 15 * 60_000 },
      write: (used, now) =>
        database.run(touchSessions, { now, used: used.map(({ accountId, id }) => ({ accountId, sessionId: id })) }),
    }),
  };
  return {
    ...owners,
    use,
    now: () => clock.now(),
    async close() {
      for (const known of Object.values(owners)) known.close();
      await Promise.all(Object.values(use).map((each) => each.flush()));
    },
  };
}
