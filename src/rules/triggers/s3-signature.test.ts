import { S3mini } from 's3mini';
import { describe, expect, it } from 'vitest';
import { isRequestable, signRequest } from './s3-signature.ts';

const keys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const signer = { ...keys, region: 'us-east-1', nowMs: Date.UTC(2013, 4, 24) };
const bucketUrl = 'https://examplebucket.s3.amazonaws.com/';
const credential = 'Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';

describe('a request to a storage', () => {
  it('is signed as in the examples that AWS documents', () => {
    const query = { prefix: 'J', 'max-keys': '2' };
    const list = signRequest({ method: 'GET', bucketUrl, key: '', query, headers: {} }, signer);
    expect(list.url).toBe(`${bucketUrl}?max-keys=2&prefix=J`);
    expect(list.headers.authorization).toBe(
      `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7`,
    );
    const headers = { range: 'bytes=0-9' };
    const object = signRequest({ method: 'GET', bucketUrl, key: 'test.txt', query: {}, headers }, signer);
    expect(object.url).toBe(`${bucketUrl}test.txt`);
    expect(object.headers.authorization).toBe(
      `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41`,
    );
  });

  it('has the URL that the client of the blob store makes', async () => {
    const sent: Request[] = [];
    const fetch = (input: string | URL | Request, init?: RequestInit) => {
      sent.push(new Request(input, init));
      return Promise.resolve(new Response(''));
    };
    const client = new S3mini({ ...keys, endpoint: 'https://s3.example.com/drop', region: 'eu-1', fetch });
    await client.getObjectRaw('in/Müller & Söhne +1 (neu).pdf');
    const asked = { method: 'GET', bucketUrl: 'https://s3.example.com/drop', query: {}, headers: {} } as const;
    const { url } = signRequest({ ...asked, key: 'in/Müller & Söhne +1 (neu).pdf' }, signer);
    expect(url).toBe(sent[0]?.url);
  });

  it.each(['../other/secret', 'a/../../b', './a', 'a/..', ''])('is not made for the key %j, which a URL cannot name', (key) => {
    expect(isRequestable(key)).toBe(false);
  });

  it.each(['a..b/c.', '...', '/a', 'a//b', '%2e%2e/a', 'ä ö/🎉+?#&'])('names exactly the key %j', (key) => {
    expect(isRequestable(key)).toBe(true);
    const { url } = signRequest({ method: 'GET', bucketUrl: 'https://s3.example.com/drop', key, query: {}, headers: {} }, signer);
    const parsed = new URL(url);
    expect(parsed.href).toBe(url);
    expect(decodeURIComponent(parsed.pathname)).toBe(`/drop/${key}`);
  });
});
