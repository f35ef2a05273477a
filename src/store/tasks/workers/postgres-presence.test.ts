import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDatabase, dropDatabase } from '../../../../test/support/db/postgres.ts';
import { systemClock } from '@errand/base/clock.ts';
import { PostgresPresence } from './postgres-presence.ts';

let url = '';
let admin = new pg.Client();
let announced = 0;
let one: PostgresPresence;
let two: PostgresPresence;

beforeAll(async () => {
  url = await createDatabase();
  admin = new pg.Client({ connectionString: url });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await dropDatabase(url);
});

beforeEach(async () => {
  announced = 0;
  [one, two] = [open(), open()];
  await Promise.all([one.join('one'), two.join('two')]);
  return async () => {
    await Promise.all([one.close(), two.close()]);
  };
});

function open(): PostgresPresence {
  return new PostgresPresence(url, systemClock, () => {
    announced += 1;
  });
}

async function nextOf(presence: PostgresPresence): Promise<number> {
  const { next } = await presence.listPresent();
  if (next === null) throw new Error('there is no other worker');
  return next;
}

it('lists the workers that have joined and not ended', async () => {
  expect(announced).toBe(2);
  const { has } = await one.listPresent();
  expect([has('one'), has('two'), has('three')]).toEqual([true, true, false]);
  await two.close();
  await expect.poll(async () => (await one.listPresent()).has('two')).toBe(false);
  expect(await one.listPresent()).toMatchObject({ next: null });
});

it('makes a ring of the workers, in which each waits for one other', async () => {
  const others = [open(), open(), open()];
  for (const [index, presence] of others.entries()) await presence.join(`other-${index}`);
  const targets = new Set<number>();
  for (const presence of [one, two, ...others]) targets.add(await nextOf(presence));
  expect(targets.size).toBe(5);
  for (const presence of others) await presence.close();
});

it('tells when the session of another worker has ended', async () => {
  const waiting = one.waitForEnd(await nextOf(one), new AbortController().signal);
  await two.close();
  expect(await waiting).toBe(true);
});

it('stops waiting when it is told to', async () => {
  const stop = new AbortController();
  const waiting = one.waitForEnd(await nextOf(one), stop.signal);
  await expect
    .poll(async () => (await admin.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rowCount)
    .toBe(1);
  stop.abort();
  expect(await waiting).toBe(false);
});

it('joins again when only its session was cut', async () => {
  await admin.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await expect.poll(() => announced).toBe(4);
  const { has } = await one.listPresent();
  expect([has('one'), has('two')]).toEqual([true, true]);
});
