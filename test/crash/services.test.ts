import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCreditService } from '../../src/api/contract/services/credit-service.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { newApiKey, newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import { Passwords } from '@errand/base/secrets/passwords.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { type Service, serviceGroup } from '@errand/base/service-lifecycle.ts';
import { buildHttp } from '../../src/http/service/http-service.ts';
import { usualStorageLimits } from '../../src/rules/files/storage-quota.ts';
import { usualCredits } from '../support/credits/usual-credits.ts';
import { createWorkspaces } from '@errand/sandbox/workspaces';
import { createAccountWithKey } from '../../src/store/accounts/account-with-key.ts';
import { createBlobs } from '../../src/store/blobs/blobs.ts';
import { createTask, getTask } from '../../src/store/tasks/tasks.ts';
import { leaseTiming } from '../../src/work/tasks/lease-keeper.ts';
import { LibraryWorker } from '../../src/work/artifacts/library-worker.ts';
import { Sweeper } from '../../src/work/instance/sweeper.ts';
import { TaskWorker } from '../../src/work/tasks/task-worker.ts';
import { AgentUnderTest, say } from '../support/tasks/agent-under-test.ts';
import { Chance } from '../support/base/chance.ts';
import { idleBrands } from '../support/brands/idle-brands.ts';
import { idleAccountArchives } from '../support/instance/idle-account-archives.ts';
import { idleWebhookService } from '../support/webhooks/idle-webhook-service.ts';
import { createDeliveryWorker, ScriptedSender } from '../support/webhooks/delivery-samples.ts';
import { idleConnectors } from '../support/connectors/idle-connectors.ts';
import { idlePdfConversion } from '../support/artifacts/idle-pdf-converter.ts';
import { sampleModelKeys, sampleModels } from '../support/models/sample-models.ts';
import { MemoryBlobStore } from '../support/files/memory-blob-store.ts';
import { countRounds, isNightly } from '../support/process/crash-run.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { inPieces } from '../support/files/blob-store-contract.ts';
import { createTriggerSecrets } from '../../src/work/triggers/trigger-secrets.ts';
import { append, createClaimed, sampleTask } from '../support/db/store-samples.ts';

/** A night has as many as the gate, however short it is: they are no matter of chance. */
const rounds = isNightly ? 10 : countRounds({ gate: 10, night: 10 });
const callers = 50;
const seed = 20_261_121;

/** A service on a clock that stands still, and a look at whether it works. */
interface Subject {
  service: Service;
  /** Only while it runs: rejects, or hangs, when it does nothing. */
  use(): Promise<void>;
}

type TestBed = AgentUnderTest;

function buildTaskWorker({ database, ports, clock }: TestBed): Subject {
  const timing = leaseTiming(15_000);
  const common = { log: silentLog, gauge: new LoadGauge(clock), concurrency: 10, timing, drainMs: 8000 };
  const service = new TaskWorker({ ...common, keeper: null, database, ports, workerId: newId(clock.now()) });
  return {
    service,
    async use() {
      const args = sampleTask('account');
      await database.run(createTask, args);
      await clock.advance(1000);
      expect(await database.run(getTask, args)).toMatchObject({ status: 'stopped' });
    },
  };
}

function buildLibraryWorker({ database, clock }: TestBed): Subject {
  const blobs = createBlobs({ database, blobStore: new MemoryBlobStore(), clock });
  const covers = {
    means: { hasBrowser: true, hasOffice: false, hasFfmpeg: false },
    make: () => Promise.resolve(Buffer.from('small')),
  };
  return {
    service: new LibraryWorker({ database, blobs, covers, clock, log: silentLog }),
    async use() {
      const lease = await createClaimed(database, { ttlMs: 1_000_000_000 });
      const { blobId, bytes } = await blobs.put(lease.accountId, inPieces(Buffer.from('picture')), { maxBytes: 100 });
      const attachment = { kind: 'image' as const, blobId, bytes, filename: 'a.png', contentType: 'image/png' };
      const delivered = { artifactId: newId(clock.now()), path: 'a.png', displayName: 'a.png', attachment };
      await append(lease, [{ type: 'file_delivered', ...delivered }], database);
      const isCovered = () => database.query('SELECT id FROM artifacts WHERE cover IS NOT NULL').length > 0;
      while (!isCovered()) await clock.advance(1000);
    },
  };
}

function buildSweeper({ database, clock }: TestBed): Subject {
  const folder = createFolder('swept');
  const workspaces = createWorkspaces(folder);
  return {
    service: new Sweeper({
      database,
      workspaces,
      blobs: { sweep: () => Promise.resolve(0), measure: () => Promise.resolve(0) },
      clock,
      log: silentLog,
    }),
    async use() {
      await workspaces.open('account', 'gone').write('file.txt', 'text');
      database.hints.publish({ topic: 'deleted' });
      await clock.advance(11 * 60_000);
      while ((await workspaces.list()).length > 0) await clock.advance(1000);
    },
  };
}

function buildDeliveryWorker({ database, clock }: TestBed): Subject {
  const service = createDeliveryWorker(database, new ScriptedSender(clock), clock);
  return { service, use: () => clock.advance(2000) };
}

function buildHttpService({ database, clock }: TestBed): Subject {
  const key = newApiKey();
  const service = buildHttp({
    database,
    clock,
    log: silentLog,
    gauge: new LoadGauge(clock),
    memory: new FairGate({ capacity: 1 }),
    settings: {
      host: '127.0.0.1',
      port: 0,
      publicUrl: null,
      contentPort: 0,
      contentUrl: null,
      headerFamilies: ['service'],
      controlSocket: null,
      drainMs: 8000,
      trustedProxies: [],
      corsOrigins: [],
    },
    blobs: createBlobs({ database, blobStore: new MemoryBlobStore(), clock }),
    pdfConversion: idlePdfConversion,
    sharePictures: { draw: () => Promise.reject(new Error('nothing is drawn')) },
    contentKey: null,
    httpClient: { request: () => Promise.reject(new Error('no way out')) },
    handlerServices: {
      workspaceFiles: {
        list: () => Promise.resolve([]),
        read: () => Promise.resolve(Buffer.alloc(0)),
        unpack: () => Promise.resolve(),
        clear: () => Promise.resolve(),
      },
      usualRunningTasks: null,
      seal: null,
      passwords: new Passwords(),
      webhooks: idleWebhookService,
      storageLimit: usualStorageLimits.account,
      ...{ models: sampleModels(database, clock), modelKeys: sampleModelKeys(database, clock) },
      credits: createCreditService({ database, ...usualCredits, isEnforced: false }),
      connectors: idleConnectors,
      triggerSecrets: createTriggerSecrets(null),
      accountArchives: idleAccountArchives,
      channel: null,
      notifications: { pushKey: null, hasMail: false, hasChats: false },
      mailDomain: null,
      hasTeamSignUp: false,
      watchRoots: {},
      hasOpenings: false,
      brands: idleBrands,
      skills: {
        listOfficial: () => Promise.resolve([]),
        loadOfficial: () => Promise.resolve(null),
        readPackage: () => Promise.reject(new Error('no skills here')),
      },
    },
    activeModels: () => ({}),
    signIn: { acceptsPasswords: true, sso: null, sessionMs: 3_600_000, mail: null },
    limiter: null,
    findTokenOwner: () => Promise.resolve(null),
  });
  return {
    service,
    async use() {
      const account = {
        accountId: newId(clock.now()),
        email: 'a@example.com',
        plan: 'pro',
        locale: 'en',
        createdAtMs: 0,
      } as const;
      const apiKey = { keyId: newId(clock.now()), name: 'key', digest: digestSecret(key), tail: '' };
      await database.run(createAccountWithKey, { account, key: apiKey });
      const answer = await fetch(`${service.url()}/v2/task.list`, { headers: { 'x-service-api-key': key } });
      await answer.body?.cancel();
      expect(answer.status).toBe(200);
    },
  };
}

function buildGroup(bed: TestBed): Subject {
  const [worker, http] = [buildTaskWorker(bed), buildHttpService(bed)];
  return {
    service: serviceGroup('both', [worker.service, buildSweeper(bed).service, http.service]),
    async use() {
      await worker.use();
      await http.use();
    },
  };
}

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
});

/** Everything that was begun comes to its end, whatever timers and sockets it takes. */
async function settle({ clock }: TestBed, calls: readonly Promise<void>[]): Promise<PromiseSettledResult<void>[]> {
  const isSettled = new AbortController();
  const settled = Promise.allSettled(calls).finally(() => isSettled.abort());
  while (!isSettled.signal.aborted) await clock.advance(10);
  return settled;
}

const subjects: { name: string; build(bed: TestBed): Subject }[] = [
  { name: 'the task worker', build: buildTaskWorker },
  { name: 'the sweeper', build: buildSweeper },
  { name: 'the library worker', build: buildLibraryWorker },
  { name: 'the delivery worker', build: buildDeliveryWorker },
  { name: 'the HTTP face', build: buildHttpService },
  { name: 'a group of services', build: buildGroup },
];

describe.each(subjects)('$name, started and stopped concurrently', ({ build }) => {
  it('always settles, leaves no timer behind, and works afterwards', async () => {
    const chance = new Chance(seed);
    const bed = new AgentUnderTest({ script: () => say('Done.') });
    const { service, use } = build(bed);
    for (let round = 0; round < rounds; round += 1) {
      const calls = Array.from({ length: callers }, () => (chance.happens(0.5) ? service.start() : service.stop()));
      expect((await settle(bed, calls)).filter(({ status }) => status === 'rejected')).toEqual([]);
      await settle(bed, [service.stop()]);
      expect(bed.clock.timerCount).toBe(0);
    }
    await settle(bed, [service.start()]);
    await use();
    await settle(bed, [service.stop()]);
    expect(bed.clock.timerCount).toBe(0);
    expect(unhandled).toEqual([]);
  });
});
