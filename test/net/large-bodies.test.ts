import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entry, FairGate } from '@errand/base/load/fair-gate.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest } from '../support/http/api-under-test.ts';

const megabyte = 1024 * 1024;

/** Says when somebody asks for memory. */
class WatchedGate extends FairGate {
  asked = Promise.withResolvers<void>();

  override enter(entry: Entry): Promise<() => void> {
    this.asked.resolve();
    return super.enter(entry);
  }
}

describeStores('large request bodies', (store) => {
  const clock = new TestClock(Date.now());
  const memory = new WatchedGate({ capacity: 64 * megabyte });
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await ApiUnderTest.start(store.database, { clock, memory });
  });
  afterAll(() => api.stop());

  const large = JSON.stringify({ message: { content: 'x' }, padding: 'x'.repeat(2 * megabyte) });
  const send = (key: string, body = large) =>
    fetch(`${api.http.url()}/v2/task.create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': key },
      body,
    });

  /** Takes the whole share of an account, as bodies in progress do. */
  const fill = (owner: string) => memory.enter({ owner, amount: 32 * megabyte, signal: new AbortController().signal });

  describe('of one account', () => {
    it('never take more than its share of the memory, and leave the rest to others', async () => {
      const [greedy, modest] = [await addOwner(store.database), await addOwner(store.database)];
      const release = await fill(greedy.accountId);
      const waiting = send(greedy.key);
      expect((await send(modest.key)).status).toBe(200);
      // What is small needs no share.
      expect((await send(greedy.key, JSON.stringify({ message: { content: 'x' } }))).status).toBe(200);
      release();
      expect((await waiting).status).toBe(200);
    });

    it('are refused with a remedy if there is no room in five seconds', async () => {
      const { key, accountId } = await addOwner(store.database);
      const release = await fill(accountId);
      memory.asked = Promise.withResolvers();
      const refused = send(key);
      await memory.asked.promise;
      await clock.advance(5000);
      const answer = await refused;
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await answer.json()).toMatchObject({
        error: { code: 'unavailable', message: expect.stringContaining('file.upload') as string },
      });
      release();
    });
  });
});
