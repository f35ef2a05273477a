import { expect, it } from 'vitest';
import { addInstanceKey, ApiUnderTest } from '../support/http/api-under-test.ts';
import { beginRun } from '../support/process/crash-run.ts';
import { describeStores } from '../support/db/databases.ts';
import { ask, type Seen, Things, type World } from './asking.ts';
import { type Published, readPublished } from './published-api.ts';
import { furnish, makeSome, prepareFor } from './furnishing.ts';
import { idleWebhookService } from '../support/webhooks/idle-webhook-service.ts';
import { askAtRandom } from './ask-at-random.ts';

describeStores('every operation of the OpenAPI document', (store) => {
  it('answers valid and invalid input as documented, and stores no unknown field', async () => {
    const run = beginRun(`published schemas on ${store.engine}`, { gate: 400, night: 10_000 });
    const publicKeys = () => Promise.resolve([{ createdAtMs: 1, rsaPem: 'pem', standard: 'whpk_' }]);
    const webhooks = { ...idleWebhookService, publicKeys, rotateKeys: publicKeys };
    await using api = await ApiUnderTest.start(store.database, { webhooks });
    const place = { store, api, instanceKey: await addInstanceKey(store.database) };
    const [published, things] = [await readPublished(api), new Things()];
    await furnish(place, things);
    const seen: Seen = { count: 0, ids: new Set(), granted: new Map() };
    const world: World = {
      ...{ api, things },
      async headersOf({ id, isLegacy }) {
        if (isLegacy) return { API_KEY: api.owner.key };
        return { 'x-service-api-key': id.startsWith('instance.') ? place.instanceKey : api.owner.key };
      },
      prepare: (operation) => prepareFor(operation, place),
    };
    // First each once as its example shows it, so that what is granted is seen of all of them; removals come last, each of
    // something that was made for it.
    const isRemoval = ({ id }: Published) => /delete/i.test(id);
    for (const operation of published.filter((each) => !isRemoval(each)))
      expect(await ask(world, operation, operation.sure, seen)).toBeNull();
    for (const operation of published.filter(isRemoval))
      expect(await ask(world, operation, operation.sure, seen, await makeSome(place))).toBeNull();
    expect(published.flatMap(({ id }) => (seen.granted.has(id) ? [] : [id]))).toEqual([]);
    await askAtRandom(run, { store, world, published, seen });
  }, 1_200_000);
});
