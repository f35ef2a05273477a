import { describe, expect, it } from 'vitest';
import { insertArtifact } from '../../../test/support/artifacts/artifact-samples.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { checkListCursors } from '../../../test/support/artifacts/library-list-cursors.ts';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { countRounds } from '../../../test/support/process/crash-run.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { createContext } from '../../http/operations/request-context.ts';
import { artifactList } from './artifact.list.ts';

describe('a reading of the library', () => {
  it('keeps every rule of its cursors while artifacts come and go', async () => {
    const database = new MemoryDatabase(new TestClock());
    const rounds = countRounds({ gate: 60, night: 300 });
    const pages = await checkListCursors(database, (text, ...params) => database.query(text, ...params), rounds);
    expect(pages).toBeGreaterThan(10 * rounds);
  });
});

describe('a long reading', () => {
  const read = async (database: MemoryDatabase, accountId: string, cursor: string | null) => {
    const urls = { task: () => '', share: () => '', file: () => 'url' };
    const parts = { database, handlerServices: { families: ['service'], urls } } as unknown as Parameters<
      typeof createContext
    >[0];
    const principal = { accountId, plan: 'pro', locale: 'en', via: { kind: 'operator' } } as const;
    const caller = { principal, family: 'service', credential: 'key', isStillValid: () => Promise.resolve(true) };
    const input = { limit: '1', ...(cursor !== null && { cursor }) };
    const answer = await artifactList.answer(input, createContext(parts, caller, 1000, null, new AbortController()));
    return answer as { data: { id: string }[]; next_cursor?: string };
  };
  const fill = async (database: MemoryDatabase, accountId: string, count: number) => {
    for (let each = 0; each < count; each += 1)
      await insertArtifact((text, ...params) => database.query(text, ...params), accountId);
  };

  it('ends in 429 after 2,000 pages, while its newest pages can still be read again', async () => {
    const database = new MemoryDatabase(new TestClock());
    await fill(database, 'a1', 2003);
    let page = await read(database, 'a1', null);
    let before = '';
    for (let number = 2; number <= 2000; number += 1) {
      before = page.next_cursor ?? '';
      page = await read(database, 'a1', before);
    }
    await expect(read(database, 'a1', page.next_cursor ?? '')).rejects.toMatchObject({ code: 'resource_exhausted', status: 429 });
    expect(await read(database, 'a1', before)).toEqual(page);
  });

  it('gives the same page when the store fails in the middle or the answer is lost', async () => {
    const database = new MemoryDatabase(new TestClock());
    await fill(database, 'a1', 5);
    const cursor = (await read(database, 'a1', null)).next_cursor ?? '';
    const away = () => {
      throw new Fault('unavailable', 'The storage is temporarily unavailable; try again.', { retryAfterS: 1 });
    };
    database.interference.before = away;
    await expect(read(database, 'a1', cursor)).rejects.toMatchObject({ code: 'unavailable', status: 503, retryAfterS: 1 });
    database.interference = { after: away };
    await expect(read(database, 'a1', cursor)).rejects.toMatchObject({ code: 'unavailable' });
    database.interference = {};
    const page = await read(database, 'a1', cursor);
    const next = await read(database, 'a1', page.next_cursor ?? '');
    // Ids sort by code units, not by locale.
    expect((page.data[0]?.id ?? '') > (next.data[0]?.id ?? '')).toBe(true);
    expect((await read(database, 'a1', cursor)).data).toEqual(page.data);
  });
});

describeStores('a reading of the library', (store) => {
  it('keeps the same rules', async () => {
    const rounds = countRounds({ gate: 5, night: 10 });
    const pages = await checkListCursors(store.database, (text, ...params) => store.query(text, ...params), rounds);
    expect(pages).toBeGreaterThan(10 * rounds);
  });
});
