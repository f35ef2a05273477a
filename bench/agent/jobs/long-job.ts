import assert from 'node:assert/strict';
import { type PlayedJob, use } from '../job.ts';
import type { Seen } from '../scripted-model.ts';
import { Pages } from '../pages.ts';

const steps = 500;
const facts = 60;
const factOf = (n: number) => `FACT-${n}=v${(n * 8 + 3) * 7919}`;
const findFacts = ({ text }: Seen) => [...new Set(text.match(/FACT-\d+=v\d+/g))];

/** Every eighth page has a fact in its middle. */
function pageOf(step: number): string {
  const filler = `Line of page ${step}. `.repeat(60);
  const fact = step % 8 === 3 && step < facts * 8 ? factOf(Math.floor(step / 8)) : '';
  return `${filler}\n${fact}\n${filler}`;
}

/** Reads 500 pages, then its notes and the results that were moved to files. */
export const longJob: PlayedJob = {
  ...{ kind: 'played', name: 'long', wire: 'compatible', needs: [], isHeavy: true },
  about: 'of 60 facts in 500 pages none is lost in a window of 16,000 tokens',
  async play(stage) {
    await using pages = await Pages.start((path) => pageOf(Number(path.slice(1))));
    await stage.service.restart({ ERRAND_MODEL_WINDOW: '16000' });
    stage.script([
      {
        match: ({ lastUserText }) => lastUserText.startsWith('Sum up'),
        replies: [(seen) => ({ text: `Known so far: ${findFacts(seen).join(', ')}. Go on reading.` })],
        repeatsLast: true,
      },
      {
        match: () => true,
        order: 'call',
        replies: [
          ...Array.from({ length: steps }, (_, at) => use('fetch_url', { url: `${pages.url}/${at}` })),
          use('search_files', { query: 'FACT-', path: '.tool-output' }),
          (seen) => ({ text: findFacts(seen).join(' ') }),
        ],
      },
    ]);
    const { answer } = await stage.work(`long-job: list all facts of the pages of ${pages.url}/`);
    await stage.service.restart({ ERRAND_MODEL_WINDOW: '128000' });
    const wanted = Array.from({ length: facts }, (_, n) => factOf(n));
    assert.deepEqual(
      wanted.filter((fact) => !answer.split(' ').includes(fact)),
      [],
    );
  },
};
