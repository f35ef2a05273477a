import { describe, expect, it } from 'vitest';
import { describeStores } from '../../test/support/databases.ts';
import { checkReadings } from '../../test/support/library-readings.ts';
import { MemoryDatabase } from '../../test/support/memory-database.ts';
import { TestClock } from '../../test/support/test-clock.ts';

describe('a reading of the library', () => {
  it('keeps every rule of the specification while artifacts come and go', async () => {
    const database = new MemoryDatabase(new TestClock());
    const pages = await checkReadings(database, (text, ...params) => database.query(text, ...params), 300);
    expect(pages).toBeGreaterThan(3000);
  }, 60_000);
});

describeStores('a reading of the library', (store) => {
  it('keeps the same rules', async () => {
    const pages = await checkReadings(store.database, (text, ...params) => store.query(text, ...params), 10);
    expect(pages).toBeGreaterThan(50);
  }, 60_000);
});
