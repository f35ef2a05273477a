import { describe, expect, it } from 'vitest';
import {
  AgentUnderTest,
  type AgentOptions,
  call,
  inTurn,
  noteTool,
  reply,
  say,
} from '../../test/support/tasks/agent-under-test.ts';
import type { TaskEvent } from '../rules/events/task-event.ts';
import { askTool } from '../rules/tasks/task-state.ts';
import { LeaseLost } from './journal.ts';

const open = (options: AgentOptions) => new AgentUnderTest(options).create();
const read = noteTool('read', 'retry', (callId) => `result of ${callId}`);

describe('driveTask', () => {
  it('ends the turn with the final message before the status', async () => {
    const agent = await open({ script: inTurn(say('All done.')) });
    expect(await agent.drive()).toBe('idle');
    expect(await agent.readTypes()).toEqual([
      'user_message',
      'running',
      'model_started',
      'model_finished',
      'assistant_message',
      'stopped',
    ]);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('shows the model the conversation and the results of its calls, in order', async () => {
    const parts = [{ type: 'text', text: 'I look.' } as const, call('read', 'c1'), call('read', 'c2')];
    const agent = await open({ script: inTurn(reply(...parts), say('Done.')), tools: [read] });
    await agent.drive();
    expect(agent.model.requests.at(-1)?.transcript).toEqual([
      { role: 'user', text: 'Do it.', day: '2026-01-01' },
      { role: 'assistant', parts, model: 'test/scripted' },
      {
        role: 'tool',
        results: ['c1', 'c2'].map((callId) => ({ callId, tool: 'read', output: `result of ${callId}`, isError: false })),
      },
    ]);
    expect(await agent.readTypes()).toEqual([
      ...['user_message', 'running', 'model_started', 'model_finished', 'explained', 'tool_finished', 'tool_finished'],
      ...['model_started', 'model_finished', 'assistant_message', 'stopped'],
    ]);
  });

  it('sends a prefix that never changes, so that providers can cache it', async () => {
    const agent = await open({
      script: inTurn(reply(call('read', 'c1')), reply(call('read', 'c2')), say('Done.')),
      tools: [read],
    });
    await agent.drive();
    const [first, second, third] = agent.model.requests;
    expect(new Set(agent.model.requests.map(({ system, tools }) => JSON.stringify([system, tools]))).size).toBe(1);
    expect(second?.transcript.slice(0, first?.transcript.length)).toEqual(first?.transcript);
    expect(third?.transcript.slice(0, second?.transcript.length)).toEqual(second?.transcript);
  });

  it('reads a message that arrived during the last call and continues instead of ending', async () => {
    const agent = await open({
      script: async ({ transcript }) => {
        if (transcript.length === 1) await agent.say('And in French.');
        return say(transcript.length === 1 ? 'Done.' : 'Fait.');
      },
    });
    await agent.drive();
    expect((await agent.readEvents()).filter(({ type }) => type === 'stopped')).toHaveLength(1);
    expect(agent.model.requests.at(-1)?.transcript).toMatchObject([
      { role: 'user', text: 'Do it.' },
      { role: 'assistant' },
      { role: 'user', text: 'And in French.' },
    ]);
  });

  it('reads a message that arrived while tools ran, after their results', async () => {
    const slow = noteTool('slow', 'retry', async () => {
      await agent.say('Hurry.');
      return 'slow result';
    });
    const agent = await open({ script: inTurn(reply(call('slow', 'c1')), say('Done.')), tools: [slow] });
    await agent.drive();
    expect(agent.model.requests.at(-1)?.transcript.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('starts the next turn on a follow-up, with the whole conversation so far', async () => {
    const agent = await open({ script: inTurn(say('One.'), say('Two.')) });
    await agent.drive();
    await agent.say('More.');
    await agent.drive();
    expect((await agent.readTranscript()).map((entry) => (entry.role === 'user' ? entry.text : entry.role))).toEqual([
      'Do it.',
      'assistant',
      'More.',
      'assistant',
    ]);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('gives up its slot between two steps and resumes from there', async () => {
    const agent = await open({ script: inTurn(reply(call('read', 'c1')), say('Done.')), tools: [read] });
    expect(await agent.drive(() => true)).toBe('yielded');
    expect(await agent.readStatus()).toBe('running');
    agent.clock.jump(2_000_000_000);
    for (let steps = 0; (await agent.readStatus()) === 'running'; steps += 1) {
      expect(steps).toBeLessThan(5);
      await agent.drive(() => true);
      agent.clock.jump(2_000_000_000);
    }
    expect(agent.model.requests).toHaveLength(2);
  });

  it('stores what a tool has returned before it gives up its slot', async () => {
    const agent = await open({ script: inTurn(reply(call('read', 'c1')), say('Done.')), tools: [read] });
    await agent.drive(() => agent.model.requests.length > 0);
    agent.clock.jump(2_000_000_000);
    expect(await agent.drive(() => true)).toBe('yielded');
    expect((await agent.readTypes()).at(-1)).toBe('tool_finished');
  });

  it('logs what a tool has returned with the start of the model call that follows, unless it may not run again', async () => {
    for (const [effect, expected] of [
      ['retry', 1],
      ['keyed', 0],
    ] as const) {
      const agent = await open({ script: inTurn(reply(call('read', 'c1')), say('Done.')), tools: [{ ...read, effect }] });
      const writes: string[][] = [];
      agent.database.interference.before = ({ operation, args }) => {
        if (operation === 'leases.append') writes.push((args as { events: TaskEvent[] }).events.map(({ type }) => type));
      };
      await agent.drive();
      expect(writes.filter((types) => types.join() === 'tool_finished,model_started')).toHaveLength(expected);
    }
  });

  it('stops in the middle of a model call: its signal aborts and nothing more is logged', async () => {
    const called = Promise.withResolvers<AbortSignal>();
    const agent = await open({
      script: (_, { signal }) => {
        called.resolve(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
    });
    const driving = agent.drive();
    const signal = await called.promise;
    await agent.stop();
    await expect(driving).rejects.toBeInstanceOf(LeaseLost);
    expect(signal.aborted).toBe(true);
    expect(await agent.readTypes()).toEqual(['user_message', 'running', 'model_started', 'user_stopped', 'stopped']);
  });

  it('stops in the middle of a tool call, and the next turn shows the model a closed call', async () => {
    const begun = Promise.withResolvers<void>();
    const endless = noteTool('endless', 'retry', (_, signal) => {
      begun.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    const agent = await open({ script: inTurn(reply(call('endless', 'c1')), say('Fine.')), tools: [endless] });
    const driving = agent.drive();
    await begun.promise;
    await agent.stop();
    await expect(driving).rejects.toBeInstanceOf(LeaseLost);
    await agent.say('Something else.');
    await agent.drive();
    expect(agent.model.requests.at(-1)?.transcript.slice(2)).toMatchObject([
      { role: 'tool', results: [{ callId: 'c1', isError: true, output: expect.stringContaining('Cancelled') as string }] },
      { role: 'user', text: 'Something else.' },
    ]);
  });

  it('publishes model output as it is generated', async () => {
    const agent = await open({
      script: (_, { onText }) => {
        onText('Al');
        onText('l done.');
        return say('All done.');
      },
    });
    const deltas: unknown[] = [];
    agent.deltas.subscribe(agent.task.taskId, (delta) => deltas.push(delta));
    await agent.drive();
    expect(deltas).toEqual([
      { step: 1, attempt: 1, at: 0, text: 'Al' },
      { step: 1, attempt: 1, at: 2, text: 'l done.' },
    ]);
  });
});

describe('a question', () => {
  const askInput = { question: 'Which one?' };

  it('makes the task wait, and the next message is its answer', async () => {
    const agent = await open({ script: inTurn(reply(call(askTool, 'c1', askInput)), say('Thanks.')), isInteractive: true });
    expect(await agent.drive()).toBe('idle');
    expect(await agent.readStatus()).toBe('waiting');
    expect((await agent.readEvents()).slice(-2)).toEqual([
      { type: 'assistant_message', text: 'Which one?' },
      { type: 'waiting', callId: 'c1', question: 'Which one?' },
    ]);
    await agent.say('The red one.');
    await agent.drive();
    expect(agent.model.requests.at(-1)?.transcript.at(-1)).toEqual({
      role: 'tool',
      results: [{ callId: 'c1', tool: askTool, output: 'The red one.', isError: false }],
    });
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('follows the other calls of its step, and several are asked one at a time', async () => {
    const calls = [call(askTool, 'c1', askInput), call('read', 'c2'), call(askTool, 'c3', { question: 'Sure?' })];
    const agent = await open({ script: inTurn(reply(...calls), say('Thanks.')), tools: [read], isInteractive: true });
    await agent.drive();
    await agent.say('Red.');
    await agent.drive();
    expect(await agent.readStatus()).toBe('waiting');
    await agent.say('Yes.');
    await agent.drive();
    const last = agent.model.requests.at(-1)?.transcript.at(-1);
    expect(last?.role === 'tool' && last.results.map(({ callId, output }) => [callId, output])).toEqual([
      ['c1', 'Red.'],
      ['c2', 'result of c2'],
      ['c3', 'Yes.'],
    ]);
  });

  it('is not asked while a message is pending', async () => {
    const agent = await open({
      script: async ({ transcript }) => {
        if (transcript.length > 1) return say('Blue it is.');
        await agent.say('Take the blue one.');
        return reply(call(askTool, 'c1', askInput));
      },
      isInteractive: true,
    });
    await agent.drive();
    expect(await agent.readTypes()).not.toContain('waiting');
    expect(agent.model.requests.at(-1)?.transcript.slice(2)).toMatchObject([
      { role: 'tool', results: [{ callId: 'c1', isError: true }] },
      { role: 'user', text: 'Take the blue one.' },
    ]);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('is rejected in a non-interactive task, and without a text', async () => {
    for (const isInteractive of [true, false]) {
      const input = isInteractive ? {} : askInput;
      const agent = await open({ script: inTurn(reply(call(askTool, 'c1', input)), say('Then so.')), isInteractive });
      await agent.drive();
      expect(await agent.readStatus()).toBe('stopped');
      expect(await agent.readTypes()).not.toContain('waiting');
      expect(agent.model.requests.at(-1)?.transcript.at(-1)).toMatchObject({
        role: 'tool',
        results: [{ callId: 'c1', isError: true }],
      });
      const offered = agent.model.requests[0]?.tools.map(({ name }) => name) ?? [];
      expect(offered.includes(askTool)).toBe(isInteractive);
    }
  });
});

describe('a skill that the user requires', () => {
  const skill = { name: 'my-skill', description: 'Does it.', body: 'Do it so.', files: [] };
  const skills = {
    offered: [{ id: 's1', name: skill.name, description: skill.description }],
    load: () => Promise.resolve(skill),
  };

  it('is loaded once, before the first step, and the prompt names every available skill', async () => {
    const script = inTurn(say('Done.'), say('Again.'));
    const agent = await new AgentUnderTest({ script, skills, taskConfig: { forcedSkills: ['s1'] } }).create();
    await agent.drive();
    await agent.say('More.');
    await agent.drive();
    const [first, second] = agent.model.requests;
    expect(first?.transcript.map((entry) => (entry.role === 'user' ? entry.text : entry.role))).toEqual([
      'Do it.',
      expect.stringContaining('Do it so.'),
    ]);
    expect(first?.system).toContain('- my-skill: Does it.');
    expect(second?.transcript).toHaveLength(4);
    expect((await agent.readTypes()).filter((type) => type === 'skill_loaded')).toHaveLength(1);
  });
});
