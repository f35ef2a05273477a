import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentUnderTest, call, noteTool, reply, type Script, say } from '../../test/support/tasks/agent-under-test.ts';
import { makeSchema } from '../../test/support/tasks/task-logs.ts';
import { presentEvent } from '../rules/events/present.ts';
import { askTool } from '../rules/tasks/task-state.ts';
import { readLog } from '../store/events/events.ts';
import { appendEvents } from '../store/tasks/task-leases.ts';
import { plainView } from '../../test/support/tasks/plain-attachment-view.ts';

const killed = new Error('killed');

/** Everything a turn can contain: calls of each kind, a plan, a question, an answer, an extraction that needs a repair. */
const script: Script = ({ transcript, outputSchema }) => {
  const last = transcript.at(-1);
  if (outputSchema) {
    const isRepair = last?.role === 'user' && last.text.includes('did not conform');
    return say(isRepair ? '{"colour":"red"}' : '{"color":"red"}');
  }
  const replies = [
    reply({ type: 'text', text: 'I look.' }, call('read', 'c1'), call('reach', 'c2')),
    reply(call('update_plan', 'c3', { steps: [{ title: 'Paint', status: 'doing' }] })),
    // Alone in its step, so its outcome is held until the next call of the model.
    reply(call('read', 'c5')),
    reply(call(askTool, 'c4', { question: 'Which colour?' })),
    say('Painted it red.'),
  ];
  return replies[transcript.filter(({ role }) => role === 'assistant').length] ?? say('Nothing left.');
};

/** Runs a task to its end; at each of the given appends its worker is killed, before or after it is stored. */
async function runToEnd(kills: readonly { at: number; when: 'before' | 'after' }[], isInstant = false) {
  const runs: string[] = [];
  const reads: string[] = [];
  const tools = [
    noteTool('read', 'retry', (id) => `read ${(reads.push(id), id)}`),
    noteTool('reach', 'keyed', (id) => `reached ${(runs.push(id), id)}`),
  ];
  const outputSchema = makeSchema('colour');
  const agent = await new AgentUnderTest({ script, tools, isInteractive: true, isInstant, outputSchema }).create();
  let appends = 0;
  const kill = (when: 'before' | 'after') => () => {
    if (kills.some((one) => one.when === when && one.at === appends)) throw killed;
  };
  agent.database.interference = {
    before: ({ operation }) => {
      if (operation !== appendEvents.name) return;
      appends += 1;
      kill('before')();
    },
    after: ({ operation }) => (operation === appendEvents.name ? kill('after')() : undefined),
  };
  for (let rounds = 0; (await agent.readStatus()) !== 'stopped'; rounds += 1) {
    expect(rounds).toBeLessThan(20);
    if ((await agent.readStatus()) === 'waiting') await agent.say('Red.');
    await agent.drive().catch((error: unknown) => expect(error).toBe(killed));
    agent.clock.jump(2_000_000_000);
  }
  const { taskId } = agent.task;
  const log = await agent.database.run(readLog, { ...agent.task, afterSeq: 0, limit: 1000 });
  const starts = log.flatMap(({ event }) => (event.type === 'tool_started' ? [event] : []));
  const repeats = log.flatMap(({ event }) => (event.type === 'step_repeated' ? [event] : []));
  // One for each start but the first, and for no call that had not started.
  expect(repeats.map(({ callId, attempt }) => ({ callId, attempt }))).toEqual(
    starts.filter(({ attempt }) => attempt > 1).map(({ callId, attempt }) => ({ callId, attempt })),
  );
  expect(starts.map(({ attempt }) => attempt)).toEqual(starts.map((_, index) => index + 1));
  const shown = log.flatMap((logged) => {
    if (logged.event.type === 'step_repeated') return [];
    const event = presentEvent(taskId, logged, plainView);
    return event ? [{ type: event.type, content: event[event.type] }] : [];
  });
  return {
    appends,
    runs,
    reads: reads.filter((id) => id === 'c5').length,
    // The result of a repetition says that it is one, and days pass until another worker takes over.
    transcript: JSON.parse(
      JSON.stringify(await agent.readTranscript()).replaceAll(/\\n\\n\[This (is the result of a rep|message is of)[^\]]*\]/g, ''),
      (name, value: unknown) => (name === 'day' ? undefined : value),
    ) as unknown,
    shown: JSON.stringify(shown).replaceAll(/"[0-9A-Za-z]{22}"/g, '"id"'),
  };
}

describe('a task whose worker dies', () => {
  it.each([false, true])('ends like an uninterrupted task, wherever the log was cut (instant model: %s)', async (isInstant) => {
    const whole = await runToEnd([], isInstant);
    expect(whole.appends).toBeGreaterThan(isInstant ? 9 : 12);
    for (let at = 1; at <= whole.appends; at += 1) {
      for (const when of ['before', 'after'] as const) {
        const cut = await runToEnd([{ at, when }], isInstant);
        expect(cut.transcript, `killed ${when} append ${at}`).toEqual(whole.transcript);
        expect(cut.shown.replaceAll(/"(started_at|end_at)":\d+/g, ''), `killed ${when} append ${at}`).toBe(
          whole.shown.replaceAll(/"(started_at|end_at)":\d+/g, ''),
        );
        expect(cut.runs.length).toBeLessThanOrEqual(2);
        expect(cut.reads).toBeLessThanOrEqual(2);
      }
    }
  });

  it('ends the same way however often its workers die', async () => {
    const whole = await runToEnd([]);
    const kills = fc.uniqueArray(
      fc.record({ at: fc.integer({ min: 1, max: 30 }), when: fc.constantFrom('before' as const, 'after' as const) }),
      { maxLength: 6, selector: ({ at }) => at },
    );
    await fc.assert(
      fc.asyncProperty(kills, async (list) => {
        const cut = await runToEnd(list);
        expect(cut.transcript).toEqual(whole.transcript);
      }),
      { numRuns: 40 },
    );
  });
});
