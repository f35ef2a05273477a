import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  AgentUnderTest,
  type AgentOptions,
  call,
  inTurn,
  noteTool,
  reply,
  say,
} from '../../test/support/tasks/agent-under-test.ts';
import { confirmAction } from '../store/tasks/confirmations.ts';
import { defineTool } from '../tools/toolbox/tool.ts';

function actingTool(runs: string[]) {
  return noteTool('send', 'once', (callId) => {
    runs.push(callId);
    return 'sent';
  });
}

async function open(options: Partial<AgentOptions> = {}) {
  const runs: string[] = [];
  const script = inTurn(reply(call('send', 'c1'), call('send', 'c2')), say('Done.'));
  const agent = await new AgentUnderTest({ script, tools: [actingTool(runs)], isInteractive: true, ...options }).create();
  const decide = async (input: Record<string, unknown>) => {
    const events = await agent.readEvents();
    const seq = events.findLastIndex(({ type }) => type === 'waiting');
    const decider = { actor: 'operator', accountId: agent.task.accountId };
    const args = { ...agent.task, now: agent.clock.now(), seq, input, grantedConnectors: null, decider };
    return agent.database.run(confirmAction, args);
  };
  return { agent, runs, decide };
}

describe('an action with external effects', () => {
  it('waits for approval in an interactive task, separately for each call', async () => {
    const { agent, runs, decide } = await open();
    await agent.drive();
    expect([await agent.readStatus(), runs]).toEqual(['waiting', []]);
    expect((await agent.readTypes()).slice(-2)).toEqual(['action_prepared', 'waiting']);
    expect(await decide({ accept: true, other: 1 })).toEqual({ isConfirmed: true });
    await agent.drive();
    expect([await agent.readStatus(), runs]).toEqual(['waiting', ['c1']]);
    await decide({ accept: false });
    await agent.drive();
    expect([await agent.readStatus(), runs]).toEqual(['stopped', ['c1']]);
    const results = agent.model.requests[1]?.transcript.at(-1);
    expect(results).toMatchObject({
      results: [{ isError: false }, { isError: true, output: expect.stringContaining('declined') as string }],
    });
    const finished = (await agent.readEvents()).flatMap((event) =>
      event.type === 'tool_finished' ? [event.isDeclined ?? false] : [],
    );
    expect(finished).toEqual([false, true]);
  });

  it('needs approval only once if the user always allows it', async () => {
    const { agent, runs, decide } = await open();
    await agent.drive();
    await decide({ accept: true, always_allow: true });
    await agent.drive();
    expect([await agent.readStatus(), runs]).toEqual(['stopped', ['c1', 'c2']]);
  });

  it('keeps waiting if the input contains no decision', async () => {
    const { agent, decide } = await open();
    await agent.drive();
    expect(await decide({})).toEqual({ isConfirmed: false });
    await expect(decide({ accept: 'yes' })).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await agent.readStatus()).toBe('waiting');
  });

  it('does not run if the user sends a message instead, and the model reads the message', async () => {
    const { agent, runs, decide } = await open({ script: inTurn(reply(call('send', 'c1')), say('Fine.')) });
    await agent.drive();
    await agent.say('Not now, tell me more.');
    await agent.drive();
    expect([await agent.readStatus(), runs]).toEqual(['stopped', []]);
    const [, results, message] = agent.model.requests[1]?.transcript.slice(-3) ?? [];
    expect(results).toMatchObject({ role: 'tool', results: [{ isError: true }] });
    expect(message).toMatchObject({ role: 'user', text: 'Not now, tell me more.' });
    await expect(decide({ accept: true })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('does not request approval while a message is pending', async () => {
    const runs: string[] = [];
    const look = noteTool('look', 'retry', async () => {
      await agent.say('Wait, not to everybody!');
      return 'seen';
    });
    const script = inTurn(reply(call('look', 'c1'), call('send', 'c2')), say('Fine.'));
    const agent = await new AgentUnderTest({ script, tools: [look, actingTool(runs)], isInteractive: true }).create();
    await agent.drive();
    expect([await agent.readStatus(), runs]).toEqual(['stopped', []]);
    const [results, message] = agent.model.requests[1]?.transcript.slice(-2) ?? [];
    expect(results).toMatchObject({
      results: [{ isError: false }, { isError: true, output: expect.stringContaining('written meanwhile') as string }],
    });
    expect(message).toMatchObject({ role: 'user', text: 'Wait, not to everybody!' });
  });

  it('runs immediately if nobody can approve it, unless the project forbids it', async () => {
    const free = await open({ isInteractive: false });
    await free.agent.drive();
    expect([await free.agent.readStatus(), free.runs]).toEqual(['stopped', ['c1', 'c2']]);
    const bound = await open({ isInteractive: false, taskConfig: { actions: 'refuse' } });
    await bound.agent.drive();
    expect([await bound.agent.readStatus(), bound.runs]).toEqual(['stopped', []]);
  });

  it('never runs automatically if it would expose data to others', async () => {
    const runs: string[] = [];
    const publish = { ...actingTool(runs), asksFor: () => 'deployAction' as const };
    const { agent } = await open({ tools: [publish], isInteractive: false });
    await agent.drive();
    expect([await agent.readStatus(), runs]).toEqual(['stopped', []]);
    const asked = await open({ tools: [publish] });
    await asked.agent.drive();
    expect([await asked.agent.readStatus(), runs]).toEqual(['waiting', []]);
    await asked.decide({ accept: true, global_allow: true });
    await asked.agent.drive();
    expect([await asked.agent.readStatus(), runs]).toEqual(['stopped', ['c1', 'c2']]);
  });

  it('is defined by the tool, depending on its input', async () => {
    const shell = defineTool({
      name: 'shell',
      description: 'shell',
      input: z.object({ line: z.string() }),
      effect: 'retry',
      asksFor: ({ line }) => (line === 'rm' ? 'terminalExecute' : null),
      summarize: ({ line }) => ({ brief: 'Running', action: 'Running', param: line }),
      run: ({ line }) => Promise.resolve({ status: 'success', output: line }),
    });
    const script = inTurn(reply(call('shell', 'c1', { line: 'ls' }), call('shell', 'c2', { line: 'rm' })), say('Done.'));
    const { agent } = await open({ script, tools: [shell] });
    await agent.drive();
    expect((await agent.readEvents()).at(-1)).toMatchObject({
      callId: 'c2',
      question: 'Running: rm',
      action: { kind: 'terminalExecute', schema: { properties: { accept: {}, always_allow: {} } } },
    });
  });
});
