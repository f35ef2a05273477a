import { describe, expect, it } from 'vitest';
import { AgentUnderTest, call, inTurn, noteTool, reply, say } from '../../test/support/tasks/agent-under-test.ts';

const read = noteTool('read', 'retry', (id) => `read ${id}`);

/** The writes of a task from its claim to its end. */
function listWrites(agent: AgentUnderTest): string[] {
  const writes: string[] = [];
  agent.database.interference = { before: ({ operation }) => void writes.push(operation) };
  return writes;
}

describe('a call of a model that replies at once, for nothing', () => {
  it('is logged with its reply and the end of the turn in one write', async () => {
    const agent = await new AgentUnderTest({ script: inTurn(say('Done.')), isInstant: true }).create();
    const writes = listWrites(agent);
    await agent.drive();
    expect(writes.filter((name) => name !== 'leases.claim' && !name.startsWith('events.read'))).toEqual(['leases.append']);
    expect(await agent.readTypes()).toEqual([
      ...['user_message', 'running', 'model_started', 'model_finished', 'assistant_message', 'stopped'],
    ]);
  });

  it('sees a message that arrives while it is made, because it is made again', async () => {
    const seen: string[][] = [];
    const agent = await new AgentUnderTest({
      isInstant: true,
      script: ({ transcript }) => {
        seen.push(transcript.flatMap((entry) => (entry.role === 'user' ? [entry.text] : [])));
        return say('Painted.');
      },
    }).create();
    agent.database.interference = {
      before: async ({ operation }) => {
        if (operation !== 'leases.append') return;
        agent.database.interference = {};
        await agent.say('Blue, please.');
      },
    };
    await agent.drive();
    expect(seen.map((texts) => texts.length)).toEqual([1, 2]);
    expect(await agent.readTypes()).toEqual([
      ...['user_message', 'running', 'user_message', 'model_started', 'model_finished', 'assistant_message', 'stopped'],
    ]);
  });

  it('is logged before the tools that it calls run', async () => {
    const agent = await new AgentUnderTest({
      isInstant: true,
      tools: [read],
      script: inTurn(reply(call('read', 'c1')), say('Done.')),
    }).create();
    await agent.drive();
    expect(await agent.readTypes()).toEqual([
      ...['user_message', 'running', 'model_started', 'model_finished', 'tool_finished'],
      ...['model_started', 'model_finished', 'assistant_message', 'stopped'],
    ]);
  });

  it('begins like any other if a budget limits the task', async () => {
    const agent = await new AgentUnderTest({ script: inTurn(say('Done.')), isInstant: true }).create();
    agent.database.query('UPDATE tasks SET budget_root = id');
    const writes = listWrites(agent);
    await agent.drive();
    expect(writes).toContain('budgets.beginCall');
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('is lost without a trace if the task is stopped meanwhile', async () => {
    const agent = await new AgentUnderTest({ script: inTurn(say('Done.')), isInstant: true }).create();
    agent.database.interference = {
      before: async ({ operation }) => {
        if (operation !== 'leases.append') return;
        agent.database.interference = {};
        await agent.stop();
      },
    };
    await expect(agent.drive()).rejects.toThrow('no longer ours');
    expect(await agent.readTypes()).toEqual(['user_message', 'running', 'user_stopped', 'stopped']);
  });
});
