import type { Passwords } from '@errand/base/secrets/passwords.ts';
import { newApiKey, newId } from '@errand/base/ids.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import type { Config } from '../config/config.ts';
import { findAccount } from '../store/accounts/accounts.ts';
import { prepareAgents } from '../store/agents/agents.ts';
import type { Database } from '../store/db/database.ts';
import { createFirstAccount } from '../store/accounts/first-account.ts';
import { storedKey } from '../store/accounts/stored-key.ts';

/** Creates the first account and its key on a new instance; returns the key, unless the configuration set it. */
export async function bootstrap(database: Database, passwords: Passwords, config: Config, nowMs: number): Promise<string | null> {
  // Most starts find what the first one made, and need not work on a password.
  if (await database.run(findAccount, null)) {
    if (config.fixedTimeMs === null) return null;
    // Counting begins anew with each start.
    throw new StartFault('ERRAND_FIXED_TIME: is for tests only: it needs an empty folder in ERRAND_DATA_DIR for each start');
  }
  const { bootstrapKey, bootstrapPassword } = config.secrets;
  const secret = bootstrapKey ?? newApiKey();
  const password = bootstrapPassword === null ? null : await passwords.hash(bootstrapPassword, 'operator');
  const account = {
    accountId: newId(nowMs),
    email: config.bootstrapEmail,
    plan: 'pro' as const,
    locale: 'en',
    createdAtMs: nowMs,
    password,
  };
  const isNew = await database.run(createFirstAccount, { account, key: storedKey(secret, 'first key', nowMs) });
  return isNew && bootstrapKey === null ? secret : null;
}

const accountsAtOnce = 256;

/** Creates the default agents of accounts from an earlier version. */
export async function prepareAllAgents(database: Database, nowMs: number): Promise<void> {
  while ((await database.run(prepareAgents, { now: nowMs, limit: accountsAtOnce })) === accountsAtOnce);
}
