import { createHmac, hash } from 'node:crypto';
import type { BucketKeys } from './watched-bucket.ts';

/** A request to a storage before it is signed. It has no body. */
export interface UnsignedRequest {
  method: 'GET' | 'DELETE';
  /** URL of the bucket. */
  bucketUrl: string;
  /** Empty for the bucket itself. */
  key: string;
  query: Readonly<Record<string, string>>;
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>;
}

export interface SignedRequest {
  url: string;
  headers: Record<string, string>;
}

/** Whom a request is signed for, and when. */
export interface Signer extends BucketKeys {
  region: string;
  nowMs: number;
}

const algorithm = 'AWS4-HMAC-SHA256';
const emptyHash = hash('sha256', '');

/** Percent-encoding as the signature wants it: everything but letters, digits, and `-._~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Whether the URL of an object names it and nothing else: URLs have no segments `.` and `..`, so such a key would lead elsewhere, even into
 * another bucket.
 */
export function isRequestable(key: string): boolean {
  return key !== '' && key.isWellFormed() && !key.split('/').some((segment) => segment === '.' || segment === '..');
}

function sign(text: string, { region, secretAccessKey }: Signer, day: string): string {
  const keyed = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  return createHmac('sha256', keyed).update(text).digest('hex');
}

function compareNames([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}

/** Signs a request by AWS Signature Version 4, which the storages of all vendors accept. */
export function signRequest({ method, bucketUrl, key, query, headers }: UnsignedRequest, signer: Signer): SignedRequest {
  const time = new Date(signer.nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const base = new URL(bucketUrl);
  const path = key === '' ? base.pathname : `${base.pathname.replace(/\/$/, '')}/${encode(key).replaceAll('%2F', '/')}`;
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [encode(name), encode(value)]);
  const search = pairs
    .toSorted(compareNames)
    .map((pair) => pair.join('='))
    .join('&');
  const sent = { ...headers, 'x-amz-content-sha256': emptyHash, 'x-amz-date': time };
  const signed = Object.entries({ ...sent, host: base.host }).toSorted(compareNames);
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}`);
  const canonical = [method, path, search, ...lines, '', names, emptyHash].join('\n');
  const scope = `${day}/${signer.region}/s3/aws4_request`;
  const signature = sign([algorithm, time, scope, hash('sha256', canonical)].join('\n'), signer, day);
  const authorization = `${algorithm} Credential=${signer.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { url: `${base.origin}${path}${search === '' ? '' : `?${search}`}`, headers: { ...sent, authorization } };
}
