import { expect, it } from 'vitest';
import { setPolicy } from '../../src/store/policies/policies.ts';
import { PolicyCache } from '../../src/work/policies/policy-cache.ts';
import { AgentUnderTest, call, inTurn, noteTool, reply, say } from '../support/tasks/agent-under-test.ts';

it('a policy that is set while a task is held applies to its next call', async () => {
  const runs: string[] = [];
  const send = noteTool('send', 'once', async (callId) => {
    runs.push(callId);
    const { accountId } = agent.task;
    const rules = [{ tool: 'send', decision: 'never' as const }];
    const by = { actor: 'operator', now: agent.clock.now() };
    await agent.database.run(setPolicy, { accountId, scope: 'account', scopeId: accountId, rules, ...by });
    await agent.clock.advance(1000);
    return 'sent';
  });
  const script = inTurn(reply(call('send', 'c1'), call('send', 'c2')), say('Done.'));
  const agent = await new AgentUnderTest({ script, tools: [send] }).create();
  const cache = new PolicyCache(agent);
  agent.ports.policiesOf = (task, projectId) => cache.find(task, projectId);
  await agent.drive();
  expect([await agent.readStatus(), runs]).toEqual(['stopped', ['c1']]);
  expect(agent.model.requests[1]?.transcript.at(-1)).toMatchObject({
    results: [{ isError: false }, { isError: true, output: expect.stringContaining('policy of the account') as string }],
  });
});
