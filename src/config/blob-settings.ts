import { readWebAddress } from './setting-readers.ts';
import { WrongValue } from './setting.ts';

/** Where files are stored: in the data folder, or in an S3-compatible bucket. */
export type BlobPlace = { kind: 'disk' } | { kind: 's3'; bucket: string; endpoint: string; region: string };

const known = new Set(['endpoint', 'region']);

/** `disk` or `s3://bucket?endpoint=https://…&region=…`. */
export function readBlobPlace(text: string): BlobPlace {
  if (text === 'disk') return { kind: 'disk' };
  if (!text.startsWith('s3://') || !URL.canParse(text)) throw new WrongValue('must be disk or s3://bucket?endpoint=address');
  const { hostname, username, pathname, searchParams } = new URL(text);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname) || username !== '') throw new WrongValue('names no valid bucket');
  if (pathname !== '' && pathname !== '/') throw new WrongValue('must not have a path after the bucket');
  const stranger = [...searchParams.keys()].find((key) => !known.has(key));
  if (stranger !== undefined) throw new WrongValue('knows endpoint and region and nothing else');
  const endpoint = searchParams.get('endpoint');
  if (!endpoint) throw new WrongValue('needs an endpoint');
  return { kind: 's3', bucket: hostname, endpoint: readWebAddress(endpoint), region: searchParams.get('region') ?? 'auto' };
}
