import type { ServiceProcess } from '../../../test/support/service/supervisor.ts';
import { call } from '../../service/service-calls.ts';
import { fillLibrary } from './seed.ts';
import type { Measure } from '../measure.ts';
import { median } from '../../report/statistics.ts';

interface Page {
  data: unknown[];
  next_cursor?: string;
}

const questions = {
  'first page': '',
  'of a category': '&type=images',
  'search, many hits': '&query=report',
  'search, no hit': '&query=nothing+of+the+kind',
};
const deepPages = 40;

async function takeMs(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return median(times);
}

function ask(service: ServiceProcess, question: string): Promise<Page> {
  return call<Page>(service, { method: 'GET', path: `/v2/artifact.list?limit=20${question}` });
}

/** The median time of a page, for each way to ask, and of a page far into a reading. */
async function takePages(service: ServiceProcess, rounds: number): Promise<Map<string, number>> {
  const figures = new Map<string, number>();
  for (const [name, question] of Object.entries(questions)) {
    await takeMs(() => ask(service, question), rounds / 10);
    figures.set(name, await takeMs(() => ask(service, question), rounds));
  }
  let cursor = (await ask(service, '')).next_cursor;
  const turn = async () => {
    if (cursor !== undefined) cursor = (await ask(service, `&cursor=${cursor}`)).next_cursor;
  };
  figures.set('next page', await takeMs(turn, Math.min(rounds, deepPages)));
  return figures;
}

export const library: Measure = {
  name: 'library',
  about: 'pages of artifact.list in a small library and in a very large one',
  async take(bed) {
    const { libraries, libraryReads } = bed.sizes;
    const databaseUrl = await bed.createDatabase();
    await using service = await bed.startService({ databaseUrl });
    const [small, large] = libraries;
    const taken: Map<string, number>[] = [];
    let filled = 0;
    for (const count of libraries) {
      await service.kill('SIGTERM');
      await fillLibrary(service.dataDir, databaseUrl, filled + 1, count);
      filled = count;
      await service.restart();
      taken.push(await takePages(service, libraryReads));
    }
    const [before, after] = taken;
    return [...(after ?? [])].map(([name, value]) => ({
      name: `artifact.list, ${name}`,
      value,
      unit: 'ms' as const,
      note: `median with ${large} artifacts; ${before?.get(name)?.toFixed(2)} ms with ${small}`,
    }));
  },
};
