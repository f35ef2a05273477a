import { readFile } from 'node:fs/promises';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Hints } from '@errand/base/signals/hints.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../store/db/database.ts';
import { openSqlite } from '../store/sqlite-open.ts';
import type { PostgresPresence } from '../store/tasks/workers/postgres-presence.ts';
import type { NotifySecurityEvent } from '../store/db/notified-security-events.ts';
import { expireRunLeases } from '../store/schedules/due-schedules.ts';
import { expireDeliveryLeases } from '../store/webhooks/delivery-outcomes.ts';
import { expireAllLeases } from '../store/tasks/lease-ends.ts';
import { removeAllWorkers } from '../store/tasks/workers/workers.ts';

/** One log line for each event of an account's security record. No event contains a secret. */
function logSecurity(log: Log): NotifySecurityEvent {
  return ({ accountId, kind, actor, detail }) =>
    log.info({ security_event: kind, account_id: accountId, actor, detail }, 'security event');
}

/** One log line when copies of the write-ahead log begin to fail, and one when they work again. */
function reportShipping(log: Log): (problem: string | null) => void {
  return (problem) => {
    if (problem === null) log.info({}, 'the write-ahead log is copied again');
    else log.error({ problem }, 'the write-ahead log cannot be copied: ERRAND_WAL_TARGET');
  };
}

/** Linux draws a new id at each start of the machine; null elsewhere. */
async function readBootId(): Promise<string | null> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  } catch {
    return null;
  }
}

/** Opens the configured store. */
export async function openDatabase(config: Config, clock: Clock, log: Log): Promise<Database> {
  const { databaseUrl, databasePoolUrl: poolUrl } = config.secrets;
  const notify = logSecurity(log);
  if (databaseUrl !== null) {
    // Loaded on demand: an embedded store should not pay for a driver.
    const { openPostgres } = await import('../store/postgres-open.ts');
    return openPostgres(databaseUrl, clock, { notify, poolUrl });
  }
  const database = await openSqlite(config.dataDir, clock, {
    notify,
    walTarget: config.walTarget,
    reportWal: reportShipping(log),
  });
  const bootId = await readBootId();
  await Promise.all([
    database.run(expireAllLeases, { bootId }),
    database.run(removeAllWorkers, null),
    database.run(expireDeliveryLeases, null),
    database.run(expireRunLeases, null),
  ]);
  return database;
}

/** Connects once a worker joins. */
export async function openPresence(databaseUrl: string, clock: Clock, hints: Hints): Promise<PostgresPresence> {
  const { PostgresPresence } = await import('../store/tasks/workers/postgres-presence.ts');
  return new PostgresPresence(databaseUrl, clock, () => hints.publish({ topic: 'workers' }));
}
