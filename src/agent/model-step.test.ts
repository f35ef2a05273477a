import { describe, expect, it } from 'vitest';
import { AgentUnderTest, inTurn, noteTool, call, reply, type Script, say } from '../../test/support/tasks/agent-under-test.ts';
import { makeSchema } from '../../test/support/tasks/task-logs.ts';
import { releaseLeases } from '../store/tasks/lease-ends.ts';
import { ModelFault, type ModelFaultKind } from '../models/model.ts';

/** Fails the first calls, then answers. */
function failing(faults: readonly ModelFault[]): Script {
  const left = [...faults];
  return () => {
    const fault = left.shift();
    if (fault) throw fault;
    return say('At last.');
  };
}

const fault = (kind: ModelFaultKind, retryAfterMs?: number) =>
  new ModelFault(kind, `${kind}!`, retryAfterMs === undefined ? {} : { retryAfterMs });
const times = (count: number, one: ModelFault) => Array.from({ length: count }, () => one);

describe('a failing model', () => {
  it('ends the task immediately, with the reason, if it refuses the request', async () => {
    const agent = await new AgentUnderTest({ script: failing(times(9, fault('refused'))) }).create();
    await agent.drive();
    expect(agent.clock.monotonic()).toBe(0);
    expect(agent.model.requests).toHaveLength(1);
    expect((await agent.readEvents()).slice(2)).toMatchObject([
      { type: 'model_started', attempt: 1 },
      { type: 'model_failed', attempt: 1, reason: 'refused!' },
      { type: 'error', errorType: 'model_refused', text: 'The language model refused the request: refused!' },
      { type: 'failed' },
    ]);
    expect(await agent.readStatus()).toBe('error');
  });

  it.each(['overloaded', 'unavailable', 'malformed'] as const)(
    'is called at most five times, with growing pauses, if it is %s',
    async (kind) => {
      const agent = await new AgentUnderTest({ script: failing(times(9, fault(kind))) }).create();
      await agent.drive();
      expect(agent.model.requests).toHaveLength(5);
      expect(agent.clock.monotonic()).toBe(1000 + 2000 + 4000 + 8000);
      expect(await agent.readStatus()).toBe('error');
      expect((await agent.readEvents()).at(-2)).toMatchObject({ type: 'error', errorType: `model_${kind}` });
    },
  );

  it('is retried after the delay it requests, unless that is too long', async () => {
    const agent = await new AgentUnderTest({ script: failing([fault('overloaded', 45_000)]) }).create();
    await agent.drive();
    expect(agent.clock.monotonic()).toBe(45_000);
    expect(await agent.readStatus()).toBe('stopped');
    const patient = await new AgentUnderTest({ script: failing([fault('overloaded', 86_400_000)]) }).create();
    await patient.drive();
    expect(patient.model.requests).toHaveLength(1);
    expect(await patient.readStatus()).toBe('error');
  });

  it('gets a new retry count for each step', async () => {
    const faults = [...times(3, fault('unavailable'))];
    let replies = 0;
    const script: Script = () => {
      const next = faults.shift();
      if (next) throw next;
      replies += 1;
      if (replies > 1) return say('Done.');
      faults.push(...times(3, fault('unavailable')));
      return reply(call('read', 'c1'));
    };
    const agent = await new AgentUnderTest({ script, tools: [noteTool('read', 'retry', () => 'x')] }).create();
    await agent.drive();
    expect(await agent.readStatus()).toBe('stopped');
    expect(agent.model.requests).toHaveLength(8);
  });

  it('also consumes a schema that arrives during the failed call', async () => {
    const agent = await new AgentUnderTest({
      script: async () => {
        await agent.say('As JSON, please.', { outputSchema: makeSchema('late') });
        throw fault('refused');
      },
      outputSchema: makeSchema('early'),
    }).create();
    await agent.drive();
    expect((await agent.readEvents()).at(-1)).toEqual({
      type: 'extract_delivered',
      success: false,
      value: { late: '' },
      error: 'Failed to extract structured output',
    });
  });

  it('is called again after a message resumes the failed task', async () => {
    const agent = await new AgentUnderTest({ script: failing([fault('refused')]) }).create();
    await agent.drive();
    await agent.say('Try again.');
    await agent.drive();
    expect(await agent.readStatus()).toBe('stopped');
    expect(agent.model.requests.at(-1)?.transcript).toEqual([
      { role: 'user', text: 'Do it.', day: '2026-01-01' },
      { role: 'user', text: 'Try again.', day: '2026-01-01' },
    ]);
  });

  it('reports an unexpected error to the worker as a defect', async () => {
    const agent = await new AgentUnderTest({
      script: () => {
        throw new TypeError('undefined is not a function');
      },
    }).create();
    await expect(agent.drive()).rejects.toThrow(TypeError);
    expect(await agent.readStatus()).toBe('running');
  });

  it('keeps its current pause when another worker takes over', async () => {
    const agent = await new AgentUnderTest({ script: failing([fault('overloaded', 60_000)]) }).create();
    const lease = await agent.take();
    const journal = await agent.openJournal(lease);
    const retryAt = agent.clock.now() + 60_000;
    const usage = { input: 0, output: 0, cached: 0 };
    await journal.append([{ type: 'model_started', step: 1, attempt: 1, model: 'm', estimatedInput: 1 }]);
    await journal.append([{ type: 'model_failed', step: 1, attempt: 1, reason: 'x', retryAt, usage }]);
    await agent.database.run(releaseLeases, { workerId: 'w1', leases: [lease] });
    await agent.drive();
    expect(agent.clock.now()).toBeGreaterThanOrEqual(retryAt);
  });
});

describe('a pause before the next call', () => {
  it('is not extended when the clock is set back', async () => {
    const agent = await new AgentUnderTest({ script: failing([fault('overloaded', 60_000)]) }).create();
    agent.database.interference.after = ({ args }) => {
      if (JSON.stringify(args).includes('model_failed')) agent.clock.jump(-3_600_000);
    };
    await agent.drive();
    expect(agent.clock.monotonic()).toBeLessThanOrEqual(120_000);
    expect(await agent.readStatus()).toBe('stopped');
  });
});

describe('a reply', () => {
  it('with text and calls explains the calls; with calls alone it explains nothing', async () => {
    const tools = [noteTool('read', 'retry', () => 'x')];
    const script = inTurn(
      reply({ type: 'text', text: 'First this.' }, call('read', 'c1')),
      reply(call('read', 'c2')),
      say('Done.'),
    );
    const agent = await new AgentUnderTest({ script, tools }).create();
    await agent.drive();
    const explained = (await agent.readEvents()).filter(({ type }) => type === 'explained');
    expect(explained).toEqual([{ type: 'explained', text: 'First this.' }]);
  });

  it('without text still ends the turn', async () => {
    const agent = await new AgentUnderTest({ script: inTurn(reply()) }).create();
    await agent.drive();
    expect((await agent.readEvents()).slice(-2)).toEqual([
      { type: 'assistant_message', text: '' },
      { type: 'stopped', by: 'agent' },
    ]);
  });
});
