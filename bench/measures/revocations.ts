import { systemClock } from '@errand/base/clock.ts';
import { newApiKey, newId } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { controlSocketPath, openControl } from '../../src/cli/transport/control-socket.ts';
import { createApiKey, revokeApiKey } from '../../src/store/accounts/api-keys.ts';
import { findAccount } from '../../src/store/accounts/accounts.ts';
import { openPostgres } from '../../src/store/postgres-open.ts';
import type { Taken } from './measure.ts';
import type { TestBed, UsedService } from '../service/test-bed.ts';

/** Creates and revokes keys: beside the processes on PostgreSQL, through the process of an embedded store. */
interface KeyActions {
  create(): Promise<{ id: string; key: string }>;
  revoke(id: string): Promise<void>;
  close(): Promise<void>;
}

function openEmbeddedKeys({ dataDir }: UsedService): KeyActions {
  const control = openControl(controlSocketPath(dataDir), null);
  const ask = async (name: string, body: object) => (await control.send({ method: 'POST', path: `/admin/${name}`, body })).body;
  return {
    async create() {
      const { api_key: key, key: about } = (await ask('key.create', { name: 'bench' })) as {
        api_key: string;
        key: { id: string };
      };
      return { id: about.id, key };
    },
    revoke: async (id) => void (await ask('key.revoke', { key_id: id })),
    close: () => control.close(),
  };
}

async function openSharedKeys(url: string): Promise<KeyActions> {
  const database = await openPostgres(url, systemClock);
  const accountId = (await database.run(findAccount, null))?.accountId ?? '';
  return {
    async create() {
      const [id, key] = [newId(Date.now()), newApiKey()];
      const about = { accountId, keyId: id, name: 'bench', digest: digestSecret(key), tail: key.slice(-4), now: Date.now() };
      await database.run(createApiKey, about);
      return { id, key };
    },
    revoke: async (id) => void (await database.run(revokeApiKey, { accountId, keyId: id, now: Date.now() })),
    close: () => database.close(),
  };
}

/** Asks until the key is refused; milliseconds since the beginning at which it was let through last. */
async function followKey({ url }: UsedService, key: string): Promise<number> {
  const before = performance.now();
  for (let lastMs = 0; ; ) {
    const { status } = await fetch(`${url}/v2/task.list?limit=1`, { headers: { 'x-service-api-key': key } });
    if (status === 401) return lastMs;
    if (status !== 200) throw new Error(`task.list answered ${status}`);
    lastMs = performance.now() - before;
  }
}

/** The longest time that a key was let through anywhere after its revocation had been acknowledged. */
export async function revokeSome(bed: TestBed): Promise<Taken> {
  const { revocations } = bed.sizes;
  const databaseUrl = await bed.createDatabase();
  await using first = await bed.useService({ role: 'api', databaseUrl });
  await using second = databaseUrl === undefined ? null : await bed.useService({ role: 'api', databaseUrl });
  const services = second ? [first, second] : [first];
  const keys = databaseUrl === undefined ? openEmbeddedKeys(first) : await openSharedKeys(databaseUrl);
  let longestMs = 0;
  for (let round = 0; round < revocations; round++) {
    const { id, key } = await keys.create();
    for (const { url } of services) await fetch(`${url}/v2/task.list?limit=1`, { headers: { 'x-service-api-key': key } });
    await keys.revoke(id);
    longestMs = Math.max(longestMs, ...(await Promise.all(services.map((service) => followKey(service, key)))));
  }
  await keys.close();
  return {
    name: 'revoked key refused everywhere, longest',
    value: longestMs,
    unit: 'ms',
    note: `${revocations} revocations, ${services.length === 1 ? 'one process' : 'two API processes'}`,
  };
}
