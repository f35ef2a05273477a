import { describe, expect, it } from 'vitest';
import { AgentUnderTest, call, noteTool, reply, say, type Script } from '../../test/support/tasks/agent-under-test.ts';
import { recordFiles } from '../../test/support/tasks/recorded-files.ts';
import type { ModelRequest } from '../models/model.ts';
import { appendEvents } from '../store/tasks/task-leases.ts';

const killed = new Error('killed');
const steps = 24;

/** The number of the last call in the conversation; after a crash, nothing else is known. */
function countCalls({ transcript }: ModelRequest): number {
  const ids = transcript.flatMap((entry) =>
    entry.role === 'assistant' ? entry.parts.flatMap((part) => (part.type === 'call' ? [Number(part.id.slice(1))] : [])) : [],
  );
  return Math.max(0, ...ids);
}

/** Long results at first, which are cleared; then long text by the model itself, which is summarized. */
const script: Script = (request) => {
  const last = request.transcript.at(-1);
  if (last?.role === 'user' && last.text.startsWith('Sum up')) return say(`Seen: ${last.text.length % 7} and much more.`);
  const next = countCalls(request) + 1;
  if (next > steps) return say('Done.');
  const isLong = next <= steps / 2;
  return reply({ type: 'text', text: isLong ? 'I read.' : 'w'.repeat(3600) }, call(isLong ? 'read' : 'look', `c${next}`));
};

const tools = [noteTool('read', 'retry', (callId) => `${callId} `.repeat(1200)), noteTool('look', 'retry', (callId) => callId)];

interface Kill {
  /** The append, counted from 1. */
  at: number;
  when: 'before' | 'after';
}

/** Runs a task whose conversation outgrows its window; its worker dies at the given append, before or after it is stored. */
async function runToEnd(kill: Kill | null) {
  const agent = await new AgentUnderTest({ script, tools, window: 16_000 }).create('Read all of it.');
  const files = recordFiles(agent);
  let appends = 0;
  const seqs: number[] = [];
  const strike = (when: Kill['when']) => {
    if (kill?.at === appends && kill.when === when) throw killed;
  };
  agent.database.interference = {
    before: ({ operation }) => {
      if (operation !== appendEvents.name) return;
      appends += 1;
      strike('before');
    },
    after: async ({ operation }) => {
      if (operation !== appendEvents.name) return;
      if (kill === null) seqs.push((await agent.readEvents()).length);
      strike('after');
    },
  };
  for (let rounds = 0; (await agent.readStatus()) !== 'stopped'; rounds += 1) {
    expect(rounds).toBeLessThan(4);
    await agent.drive().catch((error: unknown) => expect(error).toBe(killed));
    agent.clock.jump(2_000_000_000);
  }
  const events = await agent.readEvents();
  /** Prompts in order; one that was resent after a crash counts once. */
  const prompts = agent.model.requests
    .map((request) => JSON.stringify({ ...request, tools: request.tools.length }))
    .filter((prompt, at, all) => prompt !== all[at - 1]);
  return { events, seqs, prompts, files, transcript: await agent.readTranscript() };
}

describe('a task whose worker dies during context compaction', () => {
  it('resumes with the same prompts as an uninterrupted task, wherever it was killed', async () => {
    const whole = await runToEnd(null);
    const types = whole.events.map(({ type }) => type);
    for (const type of ['context_cleared', 'compact_started', 'compacted'] as const) expect(types).toContain(type);
    /** The appends that compact the context, and the ones before and after them. */
    const making = whole.seqs.flatMap((end, at) => {
      const added = types.slice(at === 0 ? 0 : whole.seqs[at - 1], end);
      return added.some((type) => /^(context_cleared|compact)/.test(type)) ? [at, at + 1, at + 2] : [];
    });
    const places = [...new Set(making)];
    expect(places.length).toBeGreaterThan(8);
    for (const at of places) {
      for (const when of ['before', 'after'] as const) {
        const cut = await runToEnd({ at, when });
        expect(cut.prompts, `killed ${when} append ${at}`).toEqual(whole.prompts);
        expect(cut.transcript, `killed ${when} append ${at}`).toEqual(whole.transcript);
        expect([...cut.files], `killed ${when} append ${at}`).toEqual([...whole.files]);
      }
    }
  });
});
