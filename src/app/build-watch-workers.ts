import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import type { HttpService } from '../http/service/http-service.ts';
import { BucketWorker } from '../work/triggers/look-worker.ts';
import { createTriggerSecrets } from '../work/triggers/trigger-secrets.ts';
import type { Stores } from './open-stores.ts';
import type { Runtime } from './runtime.ts';

type WatchStores = Pick<Stores, 'database' | 'box'>;
type Triggers = Pick<HttpService, 'triggers'>;

/** Builds the worker that looks at watched folders; none if the operator has configured none. */
async function buildFolderWorker({ config, clock, log }: Runtime, { database }: WatchStores, { triggers }: Triggers) {
  const { watchRoots: roots, drainMs } = config;
  if (Object.keys(roots).length === 0) return [];
  const { FolderWorker } = await import('../work/triggers/folder-worker.ts');
  const { receiveFile } = await import('../api/triggers/receive-file.ts');
  const worker = new FolderWorker({
    ...{ database, clock, log, roots, drainMs },
    async fire(trigger, file, signal) {
      await triggers.count(trigger);
      await receiveFile(trigger, file, triggers.open(trigger, signal));
    },
  });
  return [worker];
}

/** Loads what looks at buckets. */
async function openBucketLooks({ config, clock, log }: Runtime, { database, box }: WatchStores, { triggers }: Triggers) {
  const [{ BucketLooks }, { openBucket }, { receiveFile }] = await Promise.all([
    import('../work/triggers/bucket-looks.ts'),
    import('../work/triggers/open-bucket.ts'),
    import('../api/triggers/receive-file.ts'),
  ]);
  const { outboundAllow: allow } = config;
  // Objects pass through: they are never in memory as a whole.
  const parts = { httpClient: createSafeFetch({ allow, clock }), allowHttp: allow.length > 0, clock };
  const secrets = createTriggerSecrets(box);
  return new BucketLooks({
    ...{ database, clock, log },
    openBucket: (trigger) => openBucket(trigger, secrets, parts),
    async fire(trigger, object, signal) {
      await triggers.count(trigger);
      const outcome = await receiveFile(trigger, object, triggers.open(trigger, signal));
      return outcome === 'started' || outcome === 'duplicate';
    },
  });
}

/** Builds the workers that look at watched folders and buckets. */
export async function buildWatchWorkers(runtime: Runtime, stores: WatchStores, http: Triggers): Promise<Service[]> {
  const { clock, log, config } = runtime;
  let looks: ReturnType<typeof openBucketLooks> | undefined;
  const parts = { database: stores.database, clock, log, drainMs: config.drainMs };
  const buckets = new BucketWorker(parts, async (look, signal) => {
    looks ??= openBucketLooks(runtime, stores, http);
    await (await looks).look(look, signal);
  });
  return [buckets, ...(await buildFolderWorker(runtime, stores, http))];
}
