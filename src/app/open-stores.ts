import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { Passwords } from '@errand/base/secrets/passwords.ts';
import { type Broadcast, LocalBroadcast } from '@errand/base/signals/broadcast.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { measureWorkspace } from '@errand/sandbox/workspace-size';
import { createWorkspaces, type Workspaces } from '@errand/sandbox/workspaces';
import type { BlobStore } from '../store/blobs/blob-store.ts';
import type { Blobs } from '../store/blobs/blobs.ts';
import type { PostgresBroadcast } from '../store/db/signals/postgres-broadcast.ts';
import type { Database } from '../store/db/database.ts';
import type { PostgresPresence } from '../store/tasks/workers/postgres-presence.ts';
import { openPushKey } from '../store/instance/push-key.ts';
import { nameInstance } from '../store/instance/instance-values.ts';
import { openBox } from '../store/instance/open-sealed-box.ts';
import { claimWhenCreated, CreationSlots } from '../work/tasks/creation-slots.ts';
import { WorkspaceKeeper } from '../work/tasks/workspace-keeper.ts';
import { WorkspaceQuotas } from '../work/tasks/workspace-quotas.ts';
import { bootstrap, prepareAllAgents } from './first-start.ts';
import { meterDatabase } from './monitoring/metered-database.ts';
import { openContent } from './open-content.ts';
import { openDatabase, openPresence } from './open-database.ts';
import type { Runtime } from './runtime.ts';

/** The stores of a process. */
export interface Stores {
  database: Database;
  /** Connects viewers of running tasks with the workers that run them; null for a process that others cannot reach. */
  channel: Broadcast | null;
  /** Slots of the worker of this process, if it has one, for tasks it takes as they are created. */
  creationSlots: CreationSlots;
  /** Null if no other process can have this database open. */
  presence: PostgresPresence | null;
  close(): Promise<void>;
  /** Whether no other process can have this database open. */
  isAlone: boolean;
  instanceId: string;
  /** Null if the secret of the other processes is missing. */
  box: SealedBox | null;
  blobs: Blobs;
  /** The store of bytes, without the records about them. */
  blobStore: BlobStore;
  /** Signs file URLs; null if this process cannot. */
  contentKey: Uint8Array | null;
  /** Identifies the service to push services; null if this process cannot. */
  pushKey: KeyObject | null;
  workspaces: Workspaces;
  /** Restores the workspaces of tasks from their copies. */
  keeper: WorkspaceKeeper;
  /** The API key of the account created by this start, shown once; null on every later start. */
  firstApiKey: string | null;
}

/** Opens the channel between processes; the code for PostgreSQL is loaded only if there is a server. */
async function openBroadcast(...parts: ConstructorParameters<typeof PostgresBroadcast>): Promise<PostgresBroadcast> {
  const { PostgresBroadcast: Broadcast } = await import('../store/db/signals/postgres-broadcast.ts');
  return new Broadcast(...parts);
}

async function prepare({ config, clock, log }: Runtime, database: Database): Promise<Omit<Stores, 'creationSlots'>> {
  const { dataDir, secrets } = config;
  const { databaseUrl } = secrets;
  const isAlone = databaseUrl === null;
  const firstApiKey = await bootstrap(database, new Passwords(), config, clock.now());
  await prepareAllAgents(database, clock.now());
  const instanceId = await database.run(nameInstance, newId(clock.now()));
  const { encryptionKey: secret, previousEncryptionKey: previous } = secrets;
  const box = await openBox(database, { secret, previous, dataDir, isShared: !isAlone });
  const content = await openContent({ config, database, instanceId, box, clock, log });
  const pushKey = box && (await openPushKey(database, box));
  const quotas = new WorkspaceQuotas({
    database,
    limits: config.storage,
    log,
    async measure(accountId, taskId) {
      const { root } = workspaces.open(accountId, taskId);
      const use = await measureWorkspace(root);
      return use && { bytes: use.bytes, files: use.entries };
    },
  });
  const quotaOf = (accountId: string, taskId: string) => quotas.of(accountId, taskId);
  const workspaces: Workspaces = createWorkspaces(join(dataDir, 'workspaces', instanceId), { quotaOf });
  const presence = databaseUrl === null ? null : await openPresence(databaseUrl, clock, database.hints);
  const shared = databaseUrl !== null && box ? await openBroadcast(databaseUrl, box, clock) : null;
  const channel = isAlone ? new LocalBroadcast() : shared;
  // The presence last: until then, running steps finish.
  const close = async () => {
    await shared?.close();
    await database.close();
    await presence?.close();
  };
  // The folder of an embedded store belongs to this machine alone.
  const keeper = new WorkspaceKeeper({ database, workspaces, blobs: content.blobs, clock, log, isAlone });
  return { database, presence, channel, close, isAlone, instanceId, box, ...content, pushKey, workspaces, keeper, firstApiKey };
}

/** Where time stands still, the queues of the database continue. */
async function openDatabaseClock({ config: { fixedTimeMs }, clock }: Runtime): Promise<Clock> {
  if (fixedTimeMs === null) return clock;
  const { createClockFrom } = await import('@errand/base/fixed-clock.ts');
  return createClockFrom(clock, fixedTimeMs);
}

/** Opens the configured stores; on a new instance, creates the first account. */
export async function openStores(runtime: Runtime): Promise<Stores> {
  const { config, log, metrics } = runtime;
  const creationSlots = new CreationSlots();
  const databaseClock = await openDatabaseClock(runtime);
  const database = claimWhenCreated(meterDatabase(await openDatabase(config, databaseClock, log), metrics), creationSlots);
  try {
    return { ...(await prepare(runtime, database)), creationSlots };
  } catch (error) {
    await database.close();
    throw error;
  }
}
