import { hash } from 'node:crypto';

export const afterObject = ['keep', 'delete'] as const;

/** What a trigger watches: the objects below a prefix of a bucket whose storage speaks the protocol of S3. */
export interface WatchedBucket {
  /** URL of the storage, without the bucket and without a slash at the end. */
  endpoint: string;
  region: string;
  name: string;
  /** What the keys begin with; '' for all objects. */
  prefix: string;
  /** Pattern for the part of a key after its last slash, with `*` and `?`. */
  pattern: string;
  /** What becomes of an object once its task has started. */
  after: (typeof afterObject)[number];
}

/** What requests to a storage are signed with. */
export interface BucketKeys {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Keys that a list may have; more take too long to compare. */
export const mostObjects = 100_000;

/** An object as a list shows it. */
export interface ListedObject {
  key: string;
  /** Tells states of the object apart; without quotation marks. */
  etag: string;
  bytes: number;
  modifiedAtMs: number;
}

/** What the pointers of a trigger find about an object (docs/build/triggers.md#buckets). */
export interface ObjectBody {
  /** Derived from key, ETag, and time of the object. */
  id: string;
  /** The key after its last slash. */
  name: string;
  /** The whole key. */
  path: string;
  bucket: string;
  size_bytes: number;
  /** ISO 8601. */
  modified_at: string;
}

/** The parts that a template can also name without a slash. */
export const objectFields: readonly (keyof ObjectBody)[] = ['name', 'path', 'size_bytes', 'modified_at', 'bucket'];

/** The part of a key after its last slash; empty for what consoles make in place of folders. */
export function nameOfKey(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** Describes an object to its trigger. Every process describes the same state of an object equally. */
export function describeObject(bucket: string, { key, etag, bytes, modifiedAtMs }: ListedObject): ObjectBody {
  const modified = new Date(modifiedAtMs).toISOString();
  const id = JSON.stringify([bucket, key, etag, modified]);
  return { id, name: nameOfKey(key), path: key, bucket, size_bytes: bytes, modified_at: modified };
}

/** Characters of Base64url, 128 bits: whoever writes into the bucket finds no two keys with one digest. */
const digestLength = 22;

function shorten(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, digestLength);
}

/** An object by digests of its key and of its state. */
export interface ObjectDigest {
  digest: string;
  version: string;
}

export function digestObject({ key, etag }: Pick<ListedObject, 'key' | 'etag'>): ObjectDigest {
  return { digest: shorten(key), version: shorten(etag) };
}

/** The place of the objects; where it changes, the watch begins anew. */
export function placeOf({ endpoint, name, prefix, pattern }: WatchedBucket): string {
  return JSON.stringify([endpoint, name, prefix, pattern]);
}

const [firstPauseMs, longestPauseMs] = [60_000, 3_600_000];

/** Time until the next look after so many failed ones in a row: from a minute to an hour. */
export function pauseAfter(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 10));
}

/** The keys as the sealed secret of a trigger. */
export function packBucketKeys({ accessKeyId, secretAccessKey }: BucketKeys): string {
  return JSON.stringify([accessKeyId, secretAccessKey]);
}

export function readBucketKeys(packed: string): BucketKeys {
  const [accessKeyId = '', secretAccessKey = ''] = JSON.parse(packed) as string[];
  return { accessKeyId, secretAccessKey };
}
