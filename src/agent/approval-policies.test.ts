import { describe, expect, it } from 'vitest';
import {
  type AgentOptions,
  AgentUnderTest,
  call,
  inTurn,
  noteTool,
  plainTool,
  reply,
  say,
} from '../../test/support/tasks/agent-under-test.ts';
import type { ActionKind } from '../rules/tasks/confirmation.ts';
import type { PolicyDecision } from '../rules/policies/policy.ts';
import { emptyState } from '../rules/tasks/task-state.ts';
import { confirmAction } from '../store/tasks/confirmations.ts';
import { createSubtaskTool } from '../tools/tasks/create-subtask.ts';

interface Options extends Partial<AgentOptions> {
  asksFor?: ActionKind | null;
  decision: PolicyDecision;
}

/** A task whose model calls `send` twice, under a policy of the team for that tool. */
async function open({ asksFor = 'connectorAction', decision, ...options }: Options) {
  const runs: string[] = [];
  const send = noteTool('send', 'once', (callId) => {
    runs.push(callId);
    return 'sent';
  });
  const tools = [{ ...send, asksFor: () => asksFor }];
  const script = inTurn(reply(call('send', 'c1'), call('send', 'c2')), say('Done.'));
  const agent = await new AgentUnderTest({ script, tools, isInteractive: true, ...options }).create();
  const set = (next: PolicyDecision) => {
    agent.ports.policiesOf = () => Promise.resolve([{ scope: 'team', rules: [{ tool: 'send', decision: next }] }]);
  };
  set(decision);
  const decide = async (input: Record<string, unknown>) => {
    const events = await agent.readEvents();
    const seq = events.findLastIndex(({ type }) => type === 'waiting');
    const decider = { actor: 'operator', accountId: agent.task.accountId };
    const args = { ...agent.task, now: agent.clock.now(), seq, input, grantedConnectors: null, decider };
    return agent.database.run(confirmAction, args);
  };
  const drive = async () => {
    await agent.drive();
    return [await agent.readStatus(), runs.join(' ')];
  };
  return { agent, runs, set, decide, drive };
}

const forbidden = expect.stringContaining('policy of the team forbids') as string;

describe('a policy that always allows a call', () => {
  it.each(['connectorAction', 'terminalExecute'] as const)('spares the confirmation of a %s', async (asksFor) => {
    const { drive } = await open({ decision: 'always', asksFor });
    expect(await drive()).toEqual(['stopped', 'c1 c2']);
  });

  it.each(['deployAction', 'connectorOauthExpired'] as const)('spares no confirmation of a %s', async (asksFor) => {
    const { drive, decide } = await open({ decision: 'always', asksFor });
    expect(await drive()).toEqual(['waiting', '']);
    await decide({ accept: true, global_allow: true });
    expect(await drive()).toEqual(asksFor === 'deployAction' ? ['stopped', 'c1 c2'] : ['waiting', 'c1']);
  });

  it('lifts nothing from a task in which nobody can be asked', async () => {
    const bound = await open({ decision: 'always', isInteractive: false, taskConfig: { actions: 'refuse' } });
    expect(await bound.drive()).toEqual(['stopped', '']);
    const publishing = await open({ decision: 'always', isInteractive: false, asksFor: 'deployAction' });
    expect(await publishing.drive()).toEqual(['stopped', '']);
  });
});

describe('a policy that asks about a call', () => {
  it('asks about each, also of a tool that needs no approval, and offers nothing for the rest of the task', async () => {
    const { agent, drive, decide } = await open({ decision: 'ask', asksFor: null });
    expect(await drive()).toEqual(['waiting', '']);
    const { action } = (await agent.readEvents()).at(-1) as { action?: { schema: { properties: object } } };
    expect(Object.keys(action?.schema.properties ?? {})).toEqual(['accept']);
    await decide({ accept: true, always_allow: true });
    expect(await drive()).toEqual(['waiting', 'c1']);
    await decide({ accept: false });
    expect(await drive()).toEqual(['stopped', 'c1']);
  });

  it('asks although a person has allowed all actions of the kind', async () => {
    const { set, drive, decide } = await open({ decision: 'always', asksFor: 'deployAction' });
    await drive();
    await decide({ accept: true, global_allow: true });
    set('ask');
    // The first was confirmed by a person; the second is asked about.
    expect(await drive()).toEqual(['waiting', 'c1']);
  });

  it('takes no approval for other calls', async () => {
    const { agent, drive, decide } = await open({ decision: 'ask' });
    await drive();
    await decide({ accept: true, always_allow: true });
    agent.ports.policiesOf = () => Promise.resolve([]);
    expect(await drive()).toEqual(['waiting', 'c1']);
  });

  it('keeps to a decision after the policy is gone', async () => {
    const { agent, drive, decide } = await open({ decision: 'ask', asksFor: null });
    await drive();
    await decide({ accept: false });
    agent.ports.policiesOf = () => Promise.resolve([]);
    expect(await drive()).toEqual(['stopped', 'c2']);
  });

  it('leaves a task that cannot ask to what its project says', async () => {
    const free = await open({ decision: 'ask', asksFor: null, isInteractive: false });
    expect(await free.drive()).toEqual(['stopped', 'c1 c2']);
    const bound = await open({ decision: 'ask', asksFor: null, isInteractive: false, taskConfig: { actions: 'refuse' } });
    expect(await bound.drive()).toEqual(['stopped', '']);
  });
});

describe('a subtask of a task that can ask', () => {
  const subtask = (approvals: readonly ActionKind[] = []) => ({ isInteractive: false, taskConfig: { approvals } });

  it('leaves to it what a policy or the tool asks about, and tells the model so', async () => {
    const byPolicy = await open({ decision: 'ask', asksFor: null, ...subtask(['connectorAction']) });
    expect(await byPolicy.drive()).toEqual(['stopped', '']);
    const output = expect.stringContaining('whom only the task above can ask') as string;
    const refused = { isError: true, output };
    expect(byPolicy.agent.model.requests[1]?.transcript.at(-1)).toMatchObject({ results: [refused, refused] });
    const byTool = await open({ decision: 'always', asksFor: 'terminalExecute', ...subtask() });
    byTool.agent.ports.policiesOf = () => Promise.resolve([]);
    expect(await byTool.drive()).toEqual(['stopped', '']);
  });

  it('does what a person has allowed there, or a policy allows', async () => {
    const allowed = await open({ decision: 'always', ...subtask(['connectorAction']) });
    allowed.agent.ports.policiesOf = () => Promise.resolve([]);
    expect(await allowed.drive()).toEqual(['stopped', 'c1 c2']);
    expect(await (await open({ decision: 'always', ...subtask() })).drive()).toEqual(['stopped', 'c1 c2']);
  });
});

describe('a policy that never allows a call', () => {
  it.each([true, false])('refuses it with a reason for the model (interactive: %s)', async (isInteractive) => {
    const { agent, drive } = await open({ decision: 'never', asksFor: null, isInteractive });
    expect(await drive()).toEqual(['stopped', '']);
    const results = agent.model.requests[1]?.transcript.at(-1);
    const refused = { isError: true, output: forbidden };
    expect(results).toMatchObject({ results: [refused, refused] });
  });

  it('refuses what a person has confirmed meanwhile', async () => {
    const { set, drive, decide } = await open({ decision: 'ask' });
    await drive();
    await decide({ accept: true });
    set('never');
    expect(await drive()).toEqual(['stopped', '']);
  });

  it('refuses calls that would run side by side, and questions to the user', async () => {
    const reads: string[] = [];
    const look = plainTool('look', 'retry', ({ callId }) => {
      reads.push(callId);
      return Promise.resolve({ status: 'success', output: 'seen' });
    });
    const script = inTurn(
      reply(call('look', 'c1'), call('look', 'c2'), call('ask_user', 'c3', { question: 'Which?' })),
      say('Done.'),
    );
    const { agent, drive } = await open({ decision: 'never', script, tools: [{ ...look, onlyReads: true }] });
    agent.ports.policiesOf = () => Promise.resolve([{ scope: 'team', rules: [{ tool: '*', decision: 'never' }] }]);
    expect((await drive())[0]).toBe('stopped');
    expect(reads).toEqual([]);
    const results = agent.model.requests[1]?.transcript.at(-1);
    expect(results).toMatchObject({ results: [{ output: forbidden }, { output: forbidden }, { output: forbidden }] });
  });
});

describe('a policy about subtasks', () => {
  const openParent = async (decision: PolicyDecision) => {
    const created: string[] = [];
    const input = { title: 'Part', instructions: 'Do it.' };
    const script = inTurn(reply(call('create_subtask', 'c1', input), call('create_subtask', 'c2', input)), say('Done.'));
    const opened = await open({ decision, script, tools: [createSubtaskTool] });
    opened.agent.ports.policiesOf = () => Promise.resolve([{ scope: 'team', rules: [{ tool: 'create_subtask', decision }] }]);
    opened.agent.ports.subtasks = {
      find: (_parent, taskId) => Promise.resolve(created.includes(taskId) ? 'stopped' : null),
      create(_parent, taskId) {
        created.push(taskId);
        return Promise.resolve(null);
      },
      readResult: () => Promise.resolve({ status: 'stopped', text: 'Made.', delivered: [], trust: emptyState.trust }),
    };
    return { ...opened, created };
  };

  it('refuses to create them', async () => {
    const { agent, drive, created } = await openParent('never');
    expect([(await drive())[0], created]).toEqual(['stopped', []]);
    const results = agent.model.requests[1]?.transcript.at(-1);
    expect(results).toMatchObject({ results: [{ output: forbidden }, { output: forbidden }] });
  });

  it('asks about each before it is created', async () => {
    const { drive, decide, created } = await openParent('ask');
    expect([(await drive())[0], created.length]).toEqual(['waiting', 0]);
    await decide({ accept: true });
    expect([(await drive())[0], created.length]).toEqual(['waiting', 1]);
    await decide({ accept: false });
    await drive();
    expect(created.length).toBe(1);
  });
});
