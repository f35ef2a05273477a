import { readBucketKeys } from '../../rules/triggers/watched-bucket.ts';
import { BucketClient, type BucketClientParts } from '../../store/triggers/bucket-client.ts';
import { BucketProblem } from '../../store/triggers/bucket-problem.ts';
import type { FoundTrigger } from '../../store/triggers/triggers.ts';
import type { createTriggerSecrets } from './trigger-secrets.ts';

/** Opens the bucket of a trigger. Throws `BucketProblem` if its keys are gone, as after an import. */
export function openBucket(
  { accountId: owner, id, bucket, sealedSecret }: FoundTrigger,
  secrets: Pick<ReturnType<typeof createTriggerSecrets>, 'open'>,
  parts: Pick<BucketClientParts, 'httpClient' | 'allowHttp' | 'clock'>,
): BucketClient {
  if (!bucket || sealedSecret === null) throw new BucketProblem('access_key_id', 'The trigger has no keys; enter them again.');
  const keys = readBucketKeys(secrets.open(id, 'secret', sealedSecret));
  return new BucketClient({ ...parts, bucket, keys, owner });
}
