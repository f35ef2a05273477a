import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import { PdfConversionService, type PdfConverter } from './pdf-conversion-service.ts';

const accountId = newId(1);
let folder: string;
let clock: TestClock;
let needed: Set<string>;
let made: string[];
let converter: PdfConverter | null;
let service: PdfConversionService;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'errand-desk-'));
  clock = new TestClock(Date.now());
  needed = new Set();
  made = [];
  converter = async (bytes, ending) => {
    const text = Buffer.from(bytes).toString();
    made.push(`${text}.${ending}`);
    if (text === 'bad') throw new Fault('invalid_argument', 'No pages can be made of this file.');
    return Buffer.from(`pages of ${text}`);
  };
  service = openService();
  await service.start();
});

afterEach(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const texts = new Map<string, string>();

function openService(): PdfConversionService {
  const blobs = {
    open: (_account: string, blobId: string) => Promise.resolve(Readable.from([Buffer.from(texts.get(blobId) ?? '')])),
    isNeeded: (_account: string, blobId: string) => Promise.resolve(needed.has(blobId)),
  } as unknown as Blobs;
  const openConverter = () => Promise.resolve(converter);
  return new PdfConversionService({ openConverter, folder: join(folder, 'pages'), blobs, clock, log: silentLog });
}

function request(text: string, ending = 'pptx', owner = accountId) {
  const blobId = newId(texts.size + 2);
  texts.set(blobId, text);
  needed.add(blobId);
  return { accountId: owner, blobId, bytes: text.length, ending };
}

it('converts a file once for all concurrent and later requests, even after a restart', async () => {
  const wanted = request('deck');
  const files = await Promise.all([service.convert(wanted), service.convert(wanted), service.convert(wanted)]);
  expect(new Set(files.map(({ path }) => path)).size).toBe(1);
  expect(await readFile((await service.convert(wanted)).path, 'utf8')).toBe('pages of deck');
  await service.stop();
  service = openService();
  await service.start();
  expect((await service.convert(wanted)).bytes).toBe('pages of deck'.length);
  expect(made).toEqual(['deck.pptx']);
});

it('converts one file at a time, and rejects requests beyond a short queue', async () => {
  const ends: (() => void)[] = [];
  converter = () => new Promise((resolve) => ends.push(() => resolve(Buffer.from('pages'))));
  const asked = Array.from({ length: 17 }, (_, at) => service.convert(request(`deck ${at}`)));
  const last = asked.pop();
  await expect(last).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 10 });
  for (let at = 0; at < asked.length; at++) {
    await expect.poll(() => ends.length).toBe(at + 1);
    ends[at]?.();
  }
  expect(await Promise.all(asked)).toHaveLength(16);
});

it('converts the files of accounts in turn, however many one account has queued', async () => {
  const ends: (() => void)[] = [];
  converter = (bytes) => {
    made.push(Buffer.from(bytes).toString());
    return new Promise((resolve) => ends.push(() => resolve(Buffer.from('pages'))));
  };
  const flood = Array.from({ length: 16 }, (_, at) => service.convert(request(`flood ${at}`)));
  await expect.poll(() => made.length).toBe(1);
  const other = service.convert(request('other', 'pptx', newId(2)));
  // All of them wait: each request has a timer, and so has tidying.
  await expect.poll(() => clock.timerCount).toBe(18);
  for (let at = 0; at < 17; at++) {
    await expect.poll(() => ends.length).toBe(at + 1);
    ends[at]?.();
  }
  await Promise.all([...flood, other]);
  expect(made.indexOf('other')).toBe(2);
});

it('requests a retry if a conversion takes long, and has the result then', async () => {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  converter = () => promise;
  const wanted = request('slow');
  const refused = expect(service.convert(wanted)).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 2 });
  // Its own timer, and the one for tidying.
  await expect.poll(() => clock.timerCount).toBe(2);
  await clock.advance(20_000);
  await refused;
  resolve(Buffer.from('at last'));
  expect(await readFile((await service.convert(wanted)).path, 'utf8')).toBe('at last');
});

it('reports immediately that a file cannot be opened or is too large, or that there is no converter', async () => {
  const bad = request('bad');
  for (let at = 0; at < 3; at++) await expect(service.convert(bad)).rejects.toMatchObject({ code: 'invalid_argument' });
  expect(made).toEqual(['bad.pptx']);
  await expect(service.convert({ ...request('x'), bytes: 60 * 1024 * 1024 })).rejects.toMatchObject({
    code: 'payload_too_large',
  });
  converter = null;
  await expect(service.convert(request('y'))).rejects.toMatchObject({ code: 'failed_precondition' });
  await expect(service.convert({ ...request('z'), ending: '../z' })).rejects.toMatchObject({ code: 'internal' });
});

it('caches the result while the file is in use and was viewed within a week', async () => {
  const [kept, released, forgotten] = [request('kept'), request('released'), request('forgotten')];
  for (const wanted of [kept, released, forgotten]) await service.convert(wanted);
  await writeFile(join(folder, 'pages', '.draft'), 'left by a crash');
  needed.delete(released.blobId);
  await clock.advance(6 * 24 * 3_600_000);
  await service.convert(kept);
  const before = made.length;
  await clock.advance(2 * 24 * 3_600_000);
  const tidied = async () => {
    await clock.advance(10 * 60_000);
    return readdir(join(folder, 'pages'));
  };
  await expect.poll(tidied).toEqual([`${accountId}.${kept.blobId}.pptx.pdf`]);
  await service.convert(kept);
  expect(made).toHaveLength(before);
});
