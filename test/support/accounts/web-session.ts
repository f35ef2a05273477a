import { newId, randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { Database } from '../../../src/store/db/database.ts';
import type { OpenStore } from '../db/databases.ts';
import { createSession } from '../../../src/store/accounts/sessions.ts';

export interface TestSession {
  accountId: string;
  sessionId: string;
  /** The headers of requests from our own pages. */
  headers: { cookie: string; 'x-errand-web': string };
}

/** Signs an account in, like the sign-in page. */
export async function addSession(
  database: Database,
  accountId: string,
  now = Date.now(),
  ttlMs = 3_600_000,
): Promise<TestSession> {
  const sessionId = newId(now);
  const cookie = `${accountId}${sessionId}${randomBase62(43)}`;
  await database.run(createSession, { accountId, sessionId, digest: digestSecret(cookie), now, expiresAtMs: now + ttlMs });
  return { accountId, sessionId, headers: { cookie: `errand_session=${cookie}`, 'x-errand-web': '1' } };
}

/** Lets the user of an account administer the instance. */
export async function makeInstanceOwner({ query }: Pick<OpenStore, 'query'>, accountId: string): Promise<void> {
  await query('UPDATE accounts SET is_instance_owner = 1 WHERE account_id = ? RETURNING account_id', accountId);
}
