import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentUnderTest, call, inTurn, noteTool, reply, say } from '../../test/support/tasks/agent-under-test.ts';
import type { Delta } from '@errand/base/signals/deltas.ts';
import type { DeliveredFile } from '../rules/events/task-event.ts';
import { readLog } from '../store/events/events.ts';
import { expectBlob, isBlobNeeded } from '../store/blobs/blob-references.ts';
import { defineTool, type ToolEffect } from '../tools/toolbox/tool.ts';

/** A tool whose worker dies in the middle of its first run: its lease is never renewed. */
async function crashInTool(effect: ToolEffect) {
  const runs: string[] = [];
  const tool = noteTool('reach', effect, (callId) => {
    runs.push(callId);
    return runs.length === 1 ? new Promise<string>(() => undefined) : `run ${runs.length}`;
  });
  const agent = await new AgentUnderTest({ script: inTurn(reply(call('reach', 'c1')), say('Done.')), tools: [tool] }).create();
  void agent.drive();
  while (runs.length === 0) await new Promise((resolve) => setImmediate(resolve));
  agent.clock.jump(2_000_000_000);
  await agent.drive();
  const last = agent.model.requests.at(-1)?.transcript.at(-1);
  return { agent, runs, result: last?.role === 'tool' ? last.results[0] : undefined };
}

describe('an image that a tool views', () => {
  const look = defineTool({
    name: 'look',
    description: 'look',
    input: z.object({}),
    effect: 'retry',
    summarize: () => ({ brief: 'look', action: 'look', param: '' }),
    async run(_, { show }) {
      const seen = await show?.('a.png', Buffer.from('pixels'));
      return { status: 'success', output: show ? 'seen' : 'not seen', ...(seen && { pictures: [seen] }) };
    },
  });
  const see = async (canSee: boolean) => {
    const agent = new AgentUnderTest({ script: inTurn(reply(call('look', 'c1')), say('Done.')), tools: [look] });
    const kept: string[] = [];
    Object.assign(agent.model, { canSee });
    Object.assign(agent.ports, {
      showPicture: async (accountId: string, picture: Uint8Array) => {
        kept.push(Buffer.from(picture).toString());
        await agent.database.run(expectBlob, { accountId, blobId: 'b1', graceMs: 1 });
        return { blobId: 'b1', bytes: 9 };
      },
    });
    await agent.create();
    await agent.drive();
    const last = agent.model.requests.at(-1)?.transcript.at(-1);
    return { agent, kept, result: last?.role === 'tool' ? last.results[0] : undefined };
  };

  it('is stored with the result for a vision model, as long as the task exists', async () => {
    const { agent, kept, result } = await see(true);
    expect(kept).toEqual(['pixels']);
    expect(result).toMatchObject({ output: 'seen', pictures: [{ blobId: 'b1', bytes: 9, name: 'a.png' }] });
    expect(await agent.database.run(isBlobNeeded, { accountId: 'a1', blobId: 'b1' })).toBe(true);
  });

  it('is not created for a model without vision', async () => {
    const { kept, result } = await see(false);
    expect([kept, result?.output, result?.pictures]).toEqual([[], 'not seen', undefined]);
  });
});

describe('a tool call interrupted by a crash', () => {
  it('runs again if that is harmless', async () => {
    const { agent, runs, result } = await crashInTool('retry');
    expect(runs).toEqual(['c1', 'c1']);
    expect(result).toMatchObject({ output: 'run 2', isError: false });
    expect(await agent.readTypes()).not.toContain('tool_started');
  });

  it('runs again if its first run may have had effects; the log and the model are told', async () => {
    const { agent, runs, result } = await crashInTool('repeat');
    expect(runs).toEqual(['c1', 'c1']);
    expect(result?.output).toMatch(/^run 2\n\n\[This is the result of a repetition: an earlier run of this call, begun at 2026-/);
    const [started] = await agent.database.run(readLog, { ...agent.task, afterSeq: 4, limit: 1 });
    const events = (await agent.readEvents()).filter(({ type }) => type === 'tool_started' || type === 'step_repeated');
    expect(events).toEqual([
      { type: 'tool_started', callId: 'c1', tool: 'reach', attempt: 1 },
      {
        ...{ type: 'step_repeated', callId: 'c1', tool: 'reach', attempt: 2 },
        ...{ reason: 'takeover', firstStartedAtMs: started?.atMs },
      },
      { type: 'tool_started', callId: 'c1', tool: 'reach', attempt: 2 },
    ]);
  });

  it('runs again under the same id if the receiver drops duplicates', async () => {
    const { agent, runs, result } = await crashInTool('keyed');
    expect(runs).toEqual(['c1', 'c1']);
    expect(result).toMatchObject({ output: expect.stringMatching(/^run 2\n\n\[/) as string, isError: false });
    expect((await agent.readEvents()).filter(({ type }) => type === 'tool_started')).toMatchObject([
      { attempt: 1 },
      { attempt: 2 },
    ]);
  });

  it('does not run again if it may have taken effect, and the model is notified', async () => {
    const { runs, result } = await crashInTool('once');
    expect(runs).toEqual(['c1']);
    expect(result).toMatchObject({ isError: true, output: expect.stringContaining('outcome of this call is unknown') as string });
  });
});

describe('delivered files', () => {
  const delivered = (path: string, blobId: string): DeliveredFile => ({
    artifactId: `artifact of ${path}`,
    path,
    displayName: path,
    attachment: { kind: 'file', blobId, filename: path, contentType: 'text/plain', bytes: 1 },
  });
  const deliver = defineTool({
    name: 'give',
    description: 'give',
    input: z.object({ path: z.string(), blobId: z.string() }),
    effect: 'retry',
    summarize: () => ({ brief: 'give', action: 'give', param: '' }),
    run: ({ path, blobId }) => Promise.resolve({ status: 'success', output: 'ok', delivered: [delivered(path, blobId)] }),
  });
  const addBlobReferences = async (agent: AgentUnderTest, ...blobIds: string[]) => {
    for (const blobId of blobIds) await agent.database.run(expectBlob, { accountId: 'a1', blobId, graceMs: 1_000_000 });
  };
  const give = (path: string, blobId: string) => reply(call('give', blobId, { path, blobId }));

  it('are logged with the result and attached to the message that ends the turn, the newest of each path', async () => {
    const script = inTurn(give('a', 'b1'), give('b', 'b2'), give('a', 'b3'), say('Done.'), say('Nothing more.'));
    const agent = await new AgentUnderTest({ script, tools: [deliver] }).create();
    await addBlobReferences(agent, 'b1', 'b2', 'b3');
    await agent.drive();
    await agent.say('Thanks.');
    await agent.drive();
    const events = await agent.readEvents();
    const types = events.map(({ type }) => type);
    expect(types[types.indexOf('tool_finished') + 1]).toBe('file_delivered');
    const messages = events.filter(({ type }) => type === 'assistant_message');
    expect(messages).toEqual([
      {
        type: 'assistant_message',
        text: 'Done.',
        attachments: [delivered('b', 'b2').attachment, delivered('a', 'b3').attachment],
      },
      { type: 'assistant_message', text: 'Nothing more.' },
    ]);
  });

  it('are attached to a question that comes first', async () => {
    const ask = reply(call('ask_user', 'q', { question: 'Good?' }));
    const script = inTurn(give('a', 'b1'), ask, say('Done.'));
    const agent = await new AgentUnderTest({ script, tools: [deliver], isInteractive: true }).create();
    await addBlobReferences(agent, 'b1');
    await agent.drive();
    await agent.say('Yes.');
    await agent.drive();
    const messages = (await agent.readEvents()).filter(({ type }) => type === 'assistant_message');
    expect(messages).toEqual([
      { type: 'assistant_message', text: 'Good?', attachments: [delivered('a', 'b1').attachment] },
      { type: 'assistant_message', text: 'Done.' },
    ]);
  });
});

describe('a recorded tool call', () => {
  it('never runs again, wherever in its step a crash occurs', async () => {
    const runs: string[] = [];
    const tool = noteTool('reach', 'once', (callId) => {
      runs.push(callId);
      return callId;
    });
    const calls = ['c1', 'c2', 'c3'].map((id) => call('reach', id));
    const agent = await new AgentUnderTest({ script: inTurn(reply(...calls), say('Done.')), tools: [tool] }).create();
    // A worker that dies between two calls of the step.
    let appends = 0;
    agent.database.interference.before = ({ operation }) => {
      appends += operation === 'leases.append' ? 1 : 0;
      if (appends === 5) throw new Error('killed');
    };
    await expect(agent.drive()).rejects.toThrow('killed');
    agent.database.interference = {};
    agent.clock.jump(2_000_000_000);
    await agent.drive();
    expect(runs.filter((id) => id === 'c1')).toHaveLength(1);
    expect(new Set(runs)).toEqual(new Set(['c1', 'c2', 'c3']));
    expect(await agent.readStatus()).toBe('stopped');
  });
});

describe('the live output of a tool', () => {
  it('reaches readers in sanitized pieces up to a limit, and is not logged', async () => {
    const tool = defineTool({
      name: 'talk',
      description: 'talk',
      input: z.object({}),
      effect: 'retry',
      summarize: () => ({ brief: 'talk', action: 'talk', param: '' }),
      run: (_, { report }) => {
        for (const text of ['one\0', '', '\ud800', 'x'.repeat(300_000), 'more']) report(text);
        return Promise.resolve({ status: 'success', output: 'done' });
      },
    });
    const agent = await new AgentUnderTest({ script: inTurn(reply(call('talk', 'c1')), say('Done.')), tools: [tool] }).create();
    const shown: Delta[] = [];
    agent.deltas.subscribe(agent.task.taskId, (delta) => shown.push(delta));
    await agent.drive();
    const about = { callId: 'c1', tool: 'talk' };
    expect(shown.slice(0, 2)).toEqual([
      { ...about, at: 0, text: 'one\ufffd' },
      { ...about, at: 4, text: '\ufffd' },
    ]);
    expect(shown).toHaveLength(3);
    expect(shown[2]?.text).toHaveLength(200_000 - 5);
    expect((await agent.readEvents()).filter(({ type }) => type.startsWith('tool'))).toHaveLength(1);
  });
});

describe('the outcome of a tool call', () => {
  it('is logged with the summary of its tool', async () => {
    const agent = await new AgentUnderTest({
      script: inTurn(reply(call('reach', 'c1')), say('Done.')),
      tools: [noteTool('reach', 'retry', () => 'ok')],
    }).create();
    await agent.drive();
    expect((await agent.readEvents()).find(({ type }) => type === 'tool_finished')).toEqual({
      type: 'tool_finished',
      callId: 'c1',
      tool: 'reach',
      startedAtMs: agent.clock.now(),
      status: 'success',
      output: 'ok',
      brief: 'reach',
      action: 'reach',
      param: '',
    });
  });

  it('is logged with a changed plan: the whole plan, and each new step once', async () => {
    const steps = (...titles: string[]) => ({ steps: titles.map((title) => ({ title, status: 'todo' })) });
    const script = inTurn(
      reply(call('update_plan', 'c1', steps('Look', 'Write'))),
      reply(call('update_plan', 'c2', steps('Look', 'Write', 'Check'))),
      say('Done.'),
    );
    const agent = await new AgentUnderTest({ script }).create();
    await agent.drive();
    const events = await agent.readEvents();
    expect(events.filter(({ type }) => type === 'plan_updated')).toHaveLength(2);
    expect(events.flatMap((event) => (event.type === 'plan_step_added' ? [event.title] : []))).toEqual([
      'Look',
      'Write',
      'Check',
    ]);
    const ids = events.flatMap((event) => (event.type === 'plan_step_added' ? [event.stepId] : []));
    expect(new Set(ids).size).toBe(3);
  });

  it('is logged with the title that it gives the task, cleaned, and without one that says nothing', async () => {
    const steps = [{ title: 'Look', status: 'doing' }];
    const script = inTurn(
      reply(call('update_plan', 'c1', { steps, task: ' "Sales of May"\n' })),
      reply(call('update_plan', 'c2', { steps, task: '---' })),
      say('Done.'),
    );
    const agent = await new AgentUnderTest({ script }).create();
    await agent.drive();
    const plans = (await agent.readEvents()).filter(({ type }) => type === 'plan_updated');
    expect(plans.map((plan) => ('title' in plan ? plan.title : null))).toEqual(['Sales of May', null]);
  });

  it('is reported to the model if the tool does not exist, and the task continues', async () => {
    const agent = await new AgentUnderTest({ script: inTurn(reply(call('no_such_tool', 'c1')), say('Then without.')) }).create();
    await agent.drive();
    expect(agent.model.requests.at(-1)?.transcript.at(-1)).toMatchObject({
      role: 'tool',
      results: [{ callId: 'c1', isError: true }],
    });
    expect(await agent.readStatus()).toBe('stopped');
  });
});

describe('calls of one reply', () => {
  it('that only read run side by side, the others in their order, and all results are in the order of the calls', async () => {
    const events: string[] = [];
    const { promise: bothBegan, resolve } = Promise.withResolvers<void>();
    const read = {
      ...noteTool('look', 'retry', async (id) => {
        events.push(`begin ${id}`);
        if (events.includes('begin c1') && events.includes('begin c2')) resolve();
        // Each waits for the other, and the first one ends last.
        await bothBegan;
        if (id === 'c1') await Promise.resolve();
        events.push(`end ${id}`);
        return id;
      }),
      onlyReads: true as const,
    };
    const write = noteTool('write', 'keyed', (id) => {
      events.push(`write ${id}`);
      return id;
    });
    const calls = [
      call('look', 'c1'),
      call('look', 'c2'),
      call('write', 'c3'),
      call('write', 'c4'),
      call('look', 'c5'),
      call('look', 'c6'),
    ];
    const agent = await new AgentUnderTest({ script: inTurn(reply(...calls), say('Done.')), tools: [read, write] }).create();
    await agent.drive();
    expect(events.slice(0, 2)).toEqual(['begin c1', 'begin c2']);
    expect(events.slice(4, 8)).toEqual(['write c3', 'write c4', 'begin c5', 'begin c6']);
    const last = agent.model.requests.at(-1)?.transcript.at(-1);
    expect(last?.role === 'tool' && last.results.map(({ output }) => output)).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6']);
    const logged = (await agent.readEvents()).flatMap((event) => (event.type === 'tool_finished' ? [event.callId] : []));
    expect(logged).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6']);
  });
});
