import { WebBrowser } from '../../../test/support/http/scriptless-browser.ts';
import { runLoad } from '../../load/run-load.ts';
import type { LoadRequest } from '../../load/load-job.ts';
import { median } from '../../report/statistics.ts';
import { call, createRequest, waitUntilIdle } from '../../service/service-calls.ts';
import type { Taken } from '../measure.ts';
import { wordOf } from './fill.ts';
import { owner, type YearStore } from './year-store.ts';

/** Milliseconds of each kind of request. */
type Times = Record<string, number>;

/** Tasks that reads go round, spread over the year. */
const readTasks = 64;

const get = (path: string): LoadRequest => ({ method: 'GET', path });

interface Page {
  data: { created_at: number }[];
  next_cursor?: string;
}

/** A page in the middle of the list. */
async function findDeepPage({ service, ids }: YearStore): Promise<LoadRequest> {
  const { task } = await call<{ task: { created_at: number } }>(
    service,
    get(`/v2/task.detail?task_id=${ids[Math.floor(ids.length / 2)] ?? ''}`),
  );
  const path = `/v2/task.list?limit=20&created_before=${task.created_at}`;
  const { next_cursor: cursor = '' } = await call<Page>(service, get(path));
  return get(`${path}&cursor=${encodeURIComponent(cursor)}`);
}

/** The requests of each kind of read. */
async function describeReads(store: YearStore): Promise<Record<string, LoadRequest[]>> {
  const { ids } = store;
  const some = Array.from({ length: Math.min(readTasks, ids.length) }, (_, at) => Math.floor((at * ids.length) / readTasks));
  return {
    'list, first page': [get('/v2/task.list?limit=20')],
    'list, in the middle': [await findDeepPage(store)],
    'list, by status': [get('/v2/task.list?limit=20&status=error')],
    'task.detail': some.map((at) => get(`/v2/task.detail?task_id=${ids[at] ?? ''}`)),
    'task.listMessages': some.map((at) => get(`/v2/task.listMessages?task_id=${ids[at] ?? ''}`)),
  };
}

/** Creates tasks and waits for their end: the time of one to be accepted, and to be claimed and done. */
async function takeCreates({ service: { url, apiKey }, service }: YearStore, count: number): Promise<Times> {
  const load = await runLoad({ url, apiKey, warmup: 0, count, requests: [createRequest('say done')] });
  const endedAt = await waitUntilIdle(service, count);
  return { create: 1000 / load.perSecond, 'claim and run': (endedAt - load.startedAt) / count };
}

async function takeReads(
  { service: { url, apiKey } }: YearStore,
  reads: Record<string, LoadRequest[]>,
  count: number,
): Promise<Times> {
  const times: Times = {};
  for (const [name, requests] of Object.entries(reads)) {
    const load = await runLoad({ url, apiKey, warmup: Math.ceil(count / 10), count, requests });
    times[name] = 1000 / load.perSecond;
  }
  return times;
}

/** What is searched for: a word of one task, and one of all. */
const searches: Record<string, (round: number) => string> = {
  'search, one hit': (round) => wordOf(round),
  'search, all hits': () => 'warranty',
};

/** Searches of the web application, one after another: an account has one at a time. */
async function takeSearches({ service }: YearStore, count: number): Promise<Times> {
  const browser = new WebBrowser(service.url);
  await browser.signIn(owner.email, owner.password);
  const times: Times = {};
  for (const [name, textOf] of Object.entries(searches)) {
    const taken: number[] = [];
    for (let round = 0; round < count; round += 1) {
      const beganAt = performance.now();
      const visit = await browser.send(`/web/task.search?limit=20&text=${textOf(round)}`, { headers: { 'x-errand-web': '1' } });
      if (visit.status !== 200 || !visit.text.includes('"match"'))
        throw new Error(`a search answered ${visit.status} ${visit.text}`);
      taken.push(performance.now() - beganAt);
    }
    times[name] = median(taken);
  }
  return times;
}

/** From kill -9 to the line that the service is ready. */
async function takeStart({ service }: YearStore): Promise<Times> {
  await service.kill();
  const beganAt = performance.now();
  await service.restart();
  return { 'start after kill -9': performance.now() - beganAt };
}

/** The times of several stores in turn, so that the moods of the machine meet them alike. */
async function takeRounds(
  rounds: number,
  stores: readonly YearStore[],
  take: (store: YearStore) => Promise<Times>,
): Promise<Map<string, number[][]>> {
  const taken = new Map<string, number[][]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, store] of stores.entries()) {
      for (const [name, ms] of Object.entries(await take(store))) {
        const lists = taken.get(name) ?? stores.map(() => []);
        lists[at]?.push(ms);
        taken.set(name, lists);
      }
    }
  }
  return taken;
}

export interface SpeedSizes {
  rounds: number;
  starts: number;
  creates: number;
  reads: number;
  searches: number;
}

/** How many times as long requests take with the tasks of a year as with few. Both services run. */
export async function compareSpeeds(few: YearStore, year: YearStore, sizes: SpeedSizes): Promise<Taken[]> {
  const stores = [few, year];
  const reads = new Map<YearStore, Record<string, LoadRequest[]>>();
  for (const store of stores) reads.set(store, await describeReads(store));
  const taken = new Map([
    ...(await takeRounds(sizes.rounds, stores, (store) => takeCreates(store, sizes.creates))),
    ...(await takeRounds(sizes.rounds, stores, (store) => takeReads(store, reads.get(store) ?? {}, sizes.reads))),
    ...(await takeRounds(sizes.rounds, stores, (store) => takeSearches(store, sizes.searches))),
    ...(await takeRounds(sizes.starts, stores, takeStart)),
  ]);
  return [...taken].map(([name, [before = [], after = []]]): Taken => {
    const [one, other] = [median(before), median(after)];
    const note = `${other.toFixed(2)} ms, and ${one.toFixed(2)} ms with ${few.ids.length} tasks`;
    return { name: `a year: ${name}`, value: other / one, unit: '×', note };
  });
}
