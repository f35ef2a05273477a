import { systemClock } from '@errand/base/clock.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { randomBytes } from 'node:crypto';
import { S3mini } from 's3mini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListedObject } from '../../src/rules/triggers/watched-bucket.ts';
import { BucketClient } from '../../src/store/triggers/bucket-client.ts';
import { isSwiftInstalled, SwiftServer } from '../support/files/swift.ts';

const megabyte = 1024 * 1024;

describe.runIf(isSwiftInstalled)("a watched bucket of Debian's Swift", () => {
  let server: SwiftServer;
  let place: Awaited<ReturnType<SwiftServer['createBucket']>>;
  const { signal } = new AbortController();
  const clientOf = (prefix: string, keys: Partial<typeof place> = {}) => {
    const { endpoint, bucket: name, region, accessKeyId, secretAccessKey } = { ...place, ...keys };
    return new BucketClient({
      bucket: { endpoint, name, region, prefix },
      keys: { accessKeyId, secretAccessKey },
      httpClient: createSafeFetch({ allow: ['127.0.0.1/32'], clock: systemClock }),
      ...{ allowHttp: true, clock: systemClock, owner: 'test' },
    });
  };
  const listAll = async (prefix: string) => {
    const found: ListedObject[] = [];
    for await (const page of clientOf(prefix).list(signal)) found.push(...page);
    return found;
  };

  beforeAll(async () => {
    server = await SwiftServer.start();
    place = await server.createBucket('watched');
  });
  afterAll(() => server.end());

  it('lists, reads, and deletes objects below a prefix, whatever their keys', async () => {
    const client = new S3mini({ ...place, endpoint: `${server.endpoint}/watched` });
    const keys = ["in (1)'s/ä & <b> +%41.txt", "in (1)'s/deep//x.txt", "in (1)'s/🎉.txt"];
    for (const key of [...keys, 'out/y.txt']) await client.putObject(key, `bytes of ${key}`);
    const prefix = "in (1)'s/";
    const found = await listAll(prefix);
    expect(found.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    for (const object of found) {
      const bytes = await buffer(Readable.from(clientOf(prefix).read(object, signal)));
      expect(bytes.toString()).toBe(`bytes of ${object.key}`);
      await clientOf(prefix).remove(object.key, signal);
    }
    expect(await listAll(prefix)).toEqual([]);
    expect(await listAll('')).toHaveLength(1);
  });

  it('tells states of an object apart, also of one that was uploaded in parts', async () => {
    const client = new S3mini({ ...place, endpoint: `${server.endpoint}/watched` });
    await client.putObject('state/a.txt', 'one');
    const [before] = await listAll('state/');
    await client.putObject('state/a.txt', 'two');
    const [after] = await listAll('state/');
    if (!before || !after) throw new Error('the object is not listed');
    expect(after.etag).not.toBe(before.etag);
    await expect(buffer(Readable.from(clientOf('').read(before, signal)))).rejects.toThrow('changed');
    const uploadId = await client.getMultipartUploadId('parts/large.bin');
    const parts = [randomBytes(5 * megabyte), randomBytes(megabyte)];
    const sent = await Promise.all(parts.map((part, at) => client.uploadPart('parts/large.bin', uploadId, part, at + 1)));
    await client.completeMultipartUpload('parts/large.bin', uploadId, sent);
    const [large] = await listAll('parts/');
    if (!large) throw new Error('the object is not listed');
    expect(large.bytes).toBe(6 * megabyte);
    expect((await buffer(Readable.from(clientOf('').read(large, signal)))).equals(Buffer.concat(parts))).toBe(true);
  });

  it('has the time of its clock, and names the setting that is wrong', async () => {
    expect(Math.abs((await clientOf('').check(signal)) - Date.now())).toBeLessThan(60_000);
    await expect(clientOf('', { secretAccessKey: 'wrong' }).check(signal)).rejects.toMatchObject({ field: 'secret_access_key' });
    await expect(clientOf('', { bucket: 'missing' }).check(signal)).rejects.toMatchObject({ field: 'name' });
  });
});
