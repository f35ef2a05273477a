import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { receiveFile } from '../api/triggers/receive-file.ts';
import type { HttpService } from '../http/service/http-service.ts';
import { readBucketKeys } from '../rules/triggers/watched-bucket.ts';
import { BucketProblem } from '../store/triggers/bucket-problem.ts';
import type { FoundTrigger } from '../store/triggers/triggers.ts';
import { BucketWorker } from '../work/triggers/bucket-worker.ts';
import { createTriggerSecrets } from '../work/triggers/trigger-secrets.ts';
import type { Stores } from './open-stores.ts';
import type { Runtime } from './runtime.ts';

/** Builds the worker that looks at watched buckets. */
export function buildBucketWorker(
  { config, clock, log }: Runtime,
  { database, box }: Pick<Stores, 'database' | 'box'>,
  { triggers }: Pick<HttpService, 'triggers'>,
): BucketWorker {
  const { outboundAllow: allow, drainMs } = config;
  // Objects pass through: they are never in memory as a whole.
  const httpClient = createSafeFetch({ allow, clock });
  const secrets = createTriggerSecrets(box);
  const openBucket = async ({ accountId: owner, id, bucket, sealedSecret }: FoundTrigger) => {
    if (!bucket || sealedSecret === null) throw new BucketProblem('access_key_id', 'The trigger has no keys; enter them again.');
    const { BucketClient } = await import('../store/triggers/bucket-client.ts');
    const keys = readBucketKeys(secrets.open(id, 'secret', sealedSecret));
    return new BucketClient({ bucket, keys, httpClient, allowHttp: allow.length > 0, clock, owner });
  };
  return new BucketWorker({
    ...{ database, clock, log, drainMs, openBucket },
    async fire(trigger, object, signal) {
      await triggers.count(trigger);
      const outcome = await receiveFile(trigger, object, triggers.open(trigger, signal));
      return outcome === 'started' || outcome === 'duplicate';
    },
  });
}
