import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import {
  afterObject,
  type BucketKeys,
  packBucketKeys,
  placeOf,
  readBucketKeys,
  type WatchedBucket,
} from '../../rules/triggers/watched-bucket.ts';
import { maxPattern } from '../../rules/triggers/watched-folder.ts';
import type { Trigger, TriggerSettings, TriggerType } from '../../store/triggers/trigger-row.ts';
import { optional } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';

const about = {
  bucket:
    'For `bucket`: objects below the prefix of a bucket start tasks. trigger.create requires `endpoint`, `name`, and both keys; trigger.update changes what it names, and another endpoint needs the keys again.',
  endpoint: "URL of the storage's S3 API, such as `https://s3.eu-central-1.amazonaws.com`.",
  region: 'Default: us-east-1.',
  name: 'The bucket.',
  prefix: 'What the keys of the objects begin with, at most 900 characters; by default nothing, so that all objects count.',
  pattern:
    'Which objects count by the part of their keys after the last slash, with `*` and `?`, at most 100 characters, such as `*.pdf`; by default all that are not hidden.',
  access:
    'The key, which has to allow listing the bucket and reading its objects, and with `after` `delete` also deleting them. Never shown again.',
  secret: 'Its secret. Never shown again.',
  after: 'Whether an object stays (`keep`, the default) or is deleted (`delete`) once its task has started.',
};

export const bucketField = z
  .object({
    endpoint: optional(z.string()).meta({ description: about.endpoint }),
    region: optional(z.string()).meta({ description: about.region }),
    name: optional(z.string()).meta({ description: about.name }),
    prefix: optional(z.string()).meta({ description: about.prefix }),
    pattern: optional(z.string()).meta({ description: about.pattern }),
    access_key_id: optional(z.string()).meta({ description: about.access }),
    secret_access_key: optional(z.string()).meta({ description: about.secret, writeOnly: true }),
    after: optional(z.enum(afterObject)).meta({ description: about.after }),
  })
  .meta({ description: about.bucket });

type BucketInput = z.output<typeof bucketField>;
type Ports = Pick<Context, 'principal' | 'intake' | 'hasOpenings' | 'triggerSecrets' | 'outwardSignal'>;

/** File systems and storages round times, so an object may seem to be older than it is by this. */
const clockSlackMs = 2000;
const [longestUrl, longestPrefix, longestRegion] = [500, 900, 64];

function readEndpoint(text: string, hasOpenings: boolean): string {
  const field = 'bucket.endpoint';
  const url = URL.parse(text.trim());
  if (!url || text.length > longestUrl) throw invalidField(field, 'must be a URL such as https://s3.example.com');
  if (url.protocol !== 'https:' && !(hasOpenings && url.protocol === 'http:'))
    throw invalidField(field, 'must begin with https://');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw invalidField(field, 'must contain no user name, password, query, or fragment');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function check(field: string, text: string, isFine: boolean, problem: string): string {
  if (!isFine || !text.isWellFormed()) throw invalidField(`bucket.${field}`, problem);
  return text;
}

function readPlace(input: BucketInput, before: WatchedBucket | null, hasOpenings: boolean): WatchedBucket {
  const { region = before?.region ?? 'us-east-1', prefix = before?.prefix ?? '', pattern = before?.pattern ?? '*' } = input;
  const { endpoint, name = before?.name ?? '' } = input;
  if (endpoint === undefined && !before) throw missingField('bucket.endpoint');
  if (name === '') throw missingField('bucket.name');
  const isName = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(name);
  const isRegion = /^[A-Za-z0-9-]+$/.test(region) && region.length <= longestRegion;
  const isPrefix = Buffer.byteLength(prefix) <= longestPrefix && !/\p{Cc}/u.test(prefix);
  const isPattern = pattern !== '' && pattern.length <= maxPattern && !/[/\p{Cc}]/u.test(pattern);
  return {
    endpoint: endpoint === undefined ? (before?.endpoint ?? '') : readEndpoint(endpoint, hasOpenings),
    region: check('region', region, isRegion, 'must be a region such as eu-central-1'),
    name: check('name', name, isName, 'must be the name of a bucket: letters, digits, dots, and hyphens'),
    prefix: check('prefix', prefix, isPrefix, `must have at most ${longestPrefix} bytes, without control characters`),
    pattern: check('pattern', pattern, isPattern, `must be a name with * and ?, without /, at most ${maxPattern} characters`),
    after: input.after ?? before?.after ?? 'keep',
  };
}

function readKey(field: string, text: string, longest: number): string {
  if (text === '') throw missingField(field);
  if (/^[!-~]+$/.test(text) && text.length <= longest) return text;
  throw invalidField(field, `must have at most ${longest} characters, without spaces`);
}

/** The keys that a request names, or those before it; these go to no other storage than that for which they were entered. */
function readKeys(input: BucketInput, isSameEndpoint: boolean, before: Trigger | null, { triggerSecrets }: Ports): BucketKeys {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = input;
  if (accessKeyId === undefined && secretAccessKey === undefined && isSameEndpoint && before && before.sealedSecret !== null) {
    return readBucketKeys(triggerSecrets.open(before.id, 'secret', before.sealedSecret));
  }
  if (accessKeyId === undefined) throw missingField('bucket.access_key_id');
  if (secretAccessKey === undefined) throw missingField('bucket.secret_access_key');
  return {
    accessKeyId: readKey('bucket.access_key_id', accessKeyId, 256),
    secretAccessKey: readKey('bucket.secret_access_key', secretAccessKey, 512),
  };
}

/** Asks the storage for an object; returns its time. 400 names the setting that keeps it from answering. */
async function askStorage(
  bucket: WatchedBucket,
  keys: BucketKeys,
  { intake, hasOpenings, principal, outwardSignal: signal }: Ports,
): Promise<number> {
  const [{ BucketClient }, { BucketProblem }] = await Promise.all([
    import('../../store/triggers/bucket-client.ts'),
    import('../../store/triggers/bucket-problem.ts'),
  ]);
  const { httpClient, clock } = intake;
  const client = new BucketClient({ bucket, keys, httpClient, allowHttp: hasOpenings, clock, owner: principal.accountId });
  try {
    return await client.check(signal);
  } catch (error) {
    if (!(error instanceof BucketProblem)) throw error;
    throw invalidField(`bucket.${error.field}`, error.message);
  }
}

/**
 * The bucket of a new or changed trigger of this type; empty if the request names none. The storage is asked for an object, so a bucket
 * that cannot be listed is refused. 400 for what cannot be watched.
 * @param before null for a new trigger
 */
export async function readBucket(
  { id, type, before }: { id: string; type: TriggerType; before: Trigger | null },
  input: BucketInput | undefined,
  ports: Ports,
): Promise<Pick<Partial<TriggerSettings>, 'bucket' | 'sealedSecret' | 'objectsFromMs'>> {
  if (type !== 'bucket' && input) throw invalidField('bucket', 'is only for triggers of the type bucket');
  if (!input) return {};
  const known = before?.bucket ?? null;
  const bucket = readPlace(input, known, ports.hasOpenings);
  const keys = readKeys(input, bucket.endpoint === known?.endpoint, before, ports);
  const storageMs = await askStorage(bucket, keys, ports);
  const isSamePlace = known !== null && placeOf(known) === placeOf(bucket);
  const sealedSecret = ports.triggerSecrets.seal(id, 'secret', packBucketKeys(keys));
  return { bucket, sealedSecret, ...(!isSamePlace && { objectsFromMs: storageMs - clockSlackMs }) };
}
