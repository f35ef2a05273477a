import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import type { AwaitedFile } from '../../rules/events/task-event.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import { createFileFetcher } from './awaited-files.ts';

const box = new SealedBox('a secret of the test');
const unused = new AbortController().signal;
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/photo.png`;
}

function awaited(url: string, accountId = 'a1', sealedBy = box): AwaitedFile {
  const sealedUrl = sealedBy.seal(url, sealedPlaces.awaitedFile(accountId));
  return { id: 'f', kind: 'file', filename: 'photo.png', contentType: null, sealedUrl };
}

function openFetcher(stored: string[] = [], allow = ['127.0.0.1/32']) {
  const put: Blobs['put'] = async (_accountId, source) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of source) chunks.push(chunk);
    stored.push(Buffer.concat(chunks).toString());
    return { blobId: 'b1', bytes: 7, sha256: '' };
  };
  return createFileFetcher({ blobs: { put }, httpClient: createSafeFetch({ allow, clock: systemClock }), box });
}

it('fetches and stores an awaited file', async () => {
  const stored: string[] = [];
  const url = await serve((_, response) => void response.end('content'));
  expect(await openFetcher(stored)('a1', awaited(url), unused)).toEqual({
    attachment: { kind: 'image', filename: 'photo.png', contentType: 'image/png', blobId: 'b1', bytes: 7 },
    problem: null,
  });
  expect(stored).toEqual(['content']);
});

it('explains a file that cannot be fetched, without its URL', async () => {
  const url = await serve((_, response) => void response.writeHead(404).end());
  expect(await openFetcher()('a1', awaited(`${url}?token=s3cret`), unused)).toEqual({
    attachment: null,
    problem: 'the server answered with status 404',
  });
});

it('fetches nothing from private addresses', async () => {
  let requests = 0;
  const url = await serve((_, response) => void response.end(String((requests += 1))));
  const { problem } = await openFetcher([], [])('a1', awaited(url), unused);
  expect([requests, problem]).toEqual([0, expect.stringContaining('not public')]);
});

it.each([
  ['of another account', 'a2', box],
  ['sealed with another secret', 'a1', new SealedBox('another secret of the test')],
] as const)('does not open a URL %s', async (_, accountId, sealedBy) => {
  const { problem } = await openFetcher()('a1', awaited('http://127.0.0.1/', accountId, sealedBy), unused);
  expect(problem).toBe('the secret of the instance that sealed its URL is gone');
});

it('rejects with the reason if the task is stopped meanwhile', async () => {
  const leaving = new AbortController();
  const url = await serve(() => leaving.abort(new Error('stopped')));
  await expect(openFetcher()('a1', awaited(url), leaving.signal)).rejects.toThrow('stopped');
});
