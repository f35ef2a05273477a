import { describe, expect, it } from 'vitest';
import { AgentUnderTest, call, noteTool, reply, say, type Script } from '../../test/support/tasks/agent-under-test.ts';
import { recordFiles } from '../../test/support/tasks/recorded-files.ts';
import { ModelFault } from '../models/model.ts';
import { estimateInput } from '../models/token-estimate.ts';
import type { Tool } from '../tools/toolbox/tool.ts';

const window = 16_000;
const isSummary = (text: string | undefined) => text?.startsWith('Sum up') === true;
const lastText = ({ transcript }: Parameters<Script>[0]) => {
  const last = transcript.at(-1);
  return last?.role === 'user' ? last.text : undefined;
};

/** A model that calls `tool` a given number of times, counted externally because conversations get shorter. */
function calling(steps: number, tool: string, summarise: Script): Script {
  let at = 0;
  return (request, options) => {
    if (isSummary(lastText(request))) return summarise(request, options);
    at += 1;
    return at > steps ? say('Done.') : reply({ type: 'text', text: 't'.repeat(900) }, call(tool, `c${at}`));
  };
}

async function open(script: Script, tools: readonly Tool[]) {
  const agent = await new AgentUnderTest({ script, tools, window }).create('Read all of it.');
  const files = recordFiles(agent);
  return { agent, files };
}

const long = noteTool('read', 'retry', (callId) => `${callId} `.repeat(1200));
const short = noteTool('look', 'retry', (callId) => callId);

describe('context compaction', () => {
  it('clears old results, each saved to the file named in its place', async () => {
    const { agent, files } = await open(
      calling(30, 'read', () => say('The summary.')),
      [long],
    );
    await agent.drive();
    const cleared = (await agent.readEvents()).flatMap((event) => (event.type === 'context_cleared' ? event.results : []));
    expect(cleared.length).toBeGreaterThan(5);
    for (const { path } of cleared) expect(files.get(path ?? '')).toMatch(/^(c\d+ ){1200}$/);
    const shown = agent.model.requests.flatMap(({ transcript }) =>
      transcript.flatMap((entry) => (entry.role === 'tool' ? entry.results.map(({ output }) => output) : [])),
    );
    expect(shown.some((output) => output.includes('The full text is in .tool-output/read-c1-'))).toBe(true);
    expect(Math.max(...agent.model.requests.map((request) => estimateInput(request)))).toBeLessThan(window * 0.8);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('summarizes the conversation, logs the cost, and continues the task', async () => {
    const { agent } = await open(
      calling(60, 'look', () => say('I have looked at sixty things.')),
      [short],
    );
    await agent.drive();
    const events = await agent.readEvents();
    const summaries = events.filter(({ type }) => type === 'compacted');
    expect(summaries.length).toBeGreaterThan(0);
    expect(summaries[0]).toMatchObject({ summary: 'I have looked at sixty things.', cost: 110 });
    const types = events.map(({ type }) => type);
    expect(types[types.indexOf('compacted') - 1]).toBe('compact_started');
    const last = agent.model.requests.at(-1)?.transcript ?? [];
    expect(last[0]).toMatchObject({ isSummary: true, text: expect.stringContaining('sixty things') as string });
    expect(last[1]).toMatchObject({ role: 'user', text: 'Read all of it.' });
    expect(Math.max(...agent.model.requests.map((request) => estimateInput(request)))).toBeLessThan(window * 0.8);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('falls back to an excerpt if the model returns no summary, and bills the attempts', async () => {
    const { agent } = await open(
      calling(42, 'look', () => {
        throw new ModelFault('unavailable', 'away', { usage: { input: 5, output: 0, cached: 0 } });
      }),
      [short],
    );
    await agent.drive();
    const types = await agent.readTypes();
    expect(types.filter((type) => type === 'compact_failed')).toHaveLength(4);
    expect(types.filter((type) => type === 'compacted')).toHaveLength(1);
    expect(await agent.readTranscript()).toMatchObject([
      { isSummary: true, text: expect.stringContaining('The user wrote: Read all of it.') as string },
      { text: 'Read all of it.' },
      ...Array.from({ length: (await agent.readTranscript()).length - 2 }, () => ({})),
    ]);
    expect(await agent.readStatus()).toBe('stopped');
  });
});
