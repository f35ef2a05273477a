import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
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

interface Options {
  stored?: string[];
  allow?: string[];
  clock?: Clock;
  /** What the storage rejects with, one for each try. */
  faults?: Fault[];
}

function openFetcher({ stored = [], allow = ['127.0.0.1/32'], clock = systemClock, faults = [] }: Options = {}) {
  const put: Blobs['put'] = async (_accountId, source) => {
    const fault = faults.shift();
    if (fault) throw fault;
    const chunks: Uint8Array[] = [];
    for await (const chunk of source) chunks.push(chunk);
    stored.push(Buffer.concat(chunks).toString());
    return { blobId: 'b1', bytes: 7, sha256: '' };
  };
  return createFileFetcher({ blobs: { put }, httpClient: createSafeFetch({ allow, clock: systemClock }), clock, box });
}

it('fetches and stores an awaited file', async () => {
  const stored: string[] = [];
  const url = await serve((_, response) => void response.end('content'));
  expect(await openFetcher({ stored })('a1', awaited(url), unused)).toEqual({
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
  const { problem } = await openFetcher({ allow: [] })('a1', awaited(url), unused);
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

it('explains a file for which the account has no storage left', async () => {
  const url = await serve((_, response) => void response.end('content'));
  const faults = [new Fault('resource_exhausted', 'The storage of this account is full.')];
  expect(await openFetcher({ faults })('a1', awaited(url), unused)).toEqual({
    attachment: null,
    problem: 'The storage of this account is full.',
  });
});

it.each([
  [1, null],
  [10, 'The file storage does not respond.'],
])('tries again with pauses while the file storage is unavailable: %i times', async (times, problem) => {
  const url = await serve((_, response) => void response.end('content'));
  const faults = Array.from({ length: times }, () => new Fault('unavailable', 'The file storage does not respond.'));
  const clock = new TestClock(0);
  const progress = { isOver: false };
  const fetching = openFetcher({ faults, clock })('a1', awaited(url), unused).finally(() => (progress.isOver = true));
  while (!progress.isOver) await clock.advance(clock.nextTimerMs ?? 0);
  expect((await fetching).problem).toBe(problem);
  expect(faults).toEqual([]);
});
