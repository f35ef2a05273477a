import { expect, it } from 'vitest';
import { AgentUnderTest, call, noteTool, reply, say, type Script } from '../../test/support/tasks/agent-under-test.ts';
import { recordFiles } from '../../test/support/tasks/recorded-files.ts';
import type { ModelRequest } from '../models/model.ts';
import { estimateInput } from '../models/token-estimate.ts';

const steps = 500;
const facts = 60;
const window = 16_000;

/** Every eighth result has a fact in its middle, which no later result repeats. */
function resultOf(step: number): string {
  const filler = `line of step ${step} `.repeat(90);
  const isPlanted = step % 8 === 3 && step < facts * 8;
  return `${filler}${isPlanted ? `\nFACT-${Math.floor(step / 8)}=v${step * 7919}\n` : ''}${filler}`;
}

function findFacts(text: string): string[] {
  return [...new Set(text.match(/FACT-\d+=v\d+/g))];
}

function listFacts(request: ModelRequest): string[] {
  return findFacts(JSON.stringify(request.transcript));
}

/** Facts in results that were left out since the last summary, each of which names the file that has it. */
function listStoredFacts({ transcript }: ModelRequest, files: ReadonlyMap<string, Uint8Array | string>): string[] {
  const results = JSON.stringify(transcript.filter(({ role }) => role === 'tool'));
  return [...files].flatMap(([path, content]) => (results.includes(path) ? findFacts(Buffer.from(content).toString()) : []));
}

it('an agent in a window of 16,000 tokens still knows 60 facts that it only read once, over 500 steps', {
  timeout: 120_000,
}, async () => {
  let at = 0;
  const summaries: number[] = [];
  let reminded = 0;
  const script: Script = (request) => {
    const last = request.transcript.at(-1);
    if (last?.role === 'user' && last.text.startsWith('Sum up')) {
      const known = listFacts(request);
      summaries.push(known.length);
      return say(`Known so far: ${known.join(', ')}. Go on reading.`);
    }
    if (request.reminder?.includes('will soon be left out') === true) reminded += 1;
    at += 1;
    return at > steps
      ? say([...listFacts(request), ...listStoredFacts(request, files)].join(' '))
      : reply(call('read_page', `c${at}`, { page: `page ${at}`, url: `https://example.com/${at % 5}` }));
  };
  const tools = [noteTool('read_page', 'retry', (id) => resultOf(Number(id.slice(1))))];
  const agent = await new AgentUnderTest({ script, tools, window }).create('Read all pages and list all facts.');
  const files = recordFiles(agent);
  await agent.drive();
  const events = await agent.readEvents();
  const answer = events.flatMap((event) => (event.type === 'assistant_message' ? [event.text] : [])).at(-1) ?? '';
  const expected = Array.from({ length: facts }, (_, n) => `FACT-${n}=v${(n * 8 + 3) * 7919}`);
  expect(expected.filter((fact) => !answer.includes(fact))).toEqual([]);
  expect(Math.max(...agent.model.requests.map((request) => estimateInput(request)))).toBeLessThan(window * 0.85);
  const compacted = events.flatMap((event) => (event.type === 'compacted' ? [event.summary] : []));
  expect(compacted.length).toBeGreaterThan(1);
  expect(events.some(({ type }) => type === 'compact_part')).toBe(true);
  expect(reminded).toBeGreaterThan(10);
  // What a summary ends with: stored results under names that tell what they are, and the sources.
  expect(compacted.at(-1)).toContain('- .tool-output/read_page-page-');
  expect(compacted.at(-1)).toContain('- https://example.com/4');
  expect([...files.keys()].every((path) => path.startsWith('.tool-output/read_page-page-'))).toBe(true);
});
