import { FairGate } from '@errand/base/load/fair-gate.ts';
import { expect, it } from 'vitest';
import { AgentUnderTest, call, inTurn, noteTool, reply, say } from '../../../test/support/tasks/agent-under-test.ts';

const never = new AbortController().signal;

it('runs a tool call only when there is a slot, and asks the model without one', async () => {
  const runs: string[] = [];
  const agent = await new AgentUnderTest({
    script: inTurn(reply(call('read', 'c1')), say('Done.')),
    tools: [noteTool('read', 'retry', (id) => `read ${(runs.push(id), id)}`)],
  }).create();
  const toolSlots = new FairGate({ capacity: 1, mostEach: 1 });
  Object.assign(agent.ports, { toolSlots });
  const leave = await toolSlots.enter({ owner: 'another account', signal: never });
  const driving = agent.drive();
  await expect.poll(() => agent.model.requests.length).toBe(1);
  expect(runs).toEqual([]);
  leave();
  await driving;
  expect(runs).toEqual(['c1']);
  expect(await agent.readStatus()).toBe('stopped');
  // The slot is free again.
  await toolSlots.enter({ owner: 'another account', signal: never });
});

it('gives up waiting for a slot when its task is stopped', async () => {
  const agent = await new AgentUnderTest({
    script: inTurn(reply(call('read', 'c1')), say('Done.')),
    tools: [noteTool('read', 'retry', () => 'read')],
  }).create();
  const toolSlots = new FairGate({ capacity: 1, mostEach: 1 });
  Object.assign(agent.ports, { toolSlots });
  const leave = await toolSlots.enter({ owner: 'another account', signal: never });
  const driving = agent.drive();
  await expect.poll(() => agent.model.requests.length).toBe(1);
  await agent.stop();
  await expect(driving).rejects.toThrow('no longer ours');
  leave();
  await toolSlots.enter({ owner: 'a third account', signal: never });
});
