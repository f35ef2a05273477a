import { describe, expect, it } from 'vitest';
import { AgentUnderTest, call, inTurn, noteTool, reply, say } from '../../test/support/tasks/agent-under-test.ts';
import { makeSchema } from '../../test/support/tasks/task-logs.ts';
import type { ModelReply } from '../models/model.ts';
import { maxContinuations } from '../rules/tasks/cut-reply.ts';

const cut = (text: string): ModelReply => ({ ...say(text), isCut: true });

describe('a reply that reaches the output limit', () => {
  it('is continued, and given to the user as one message', async () => {
    const agent = await new AgentUnderTest({ script: inTurn(cut('Once upon '), cut('a time '), say('it ended.')) }).create();
    await agent.drive();
    const events = await agent.readEvents();
    expect(events.filter(({ type }) => type === 'assistant_message')).toEqual([
      { type: 'assistant_message', text: 'Once upon a time it ended.' },
    ]);
    expect(agent.model.requests.at(-1)?.transcript.slice(1)).toMatchObject([
      { role: 'assistant', parts: [{ text: 'Once upon ' }] },
      { role: 'user', isNote: true, text: expect.stringContaining('Go on exactly where it stops') as string },
      { role: 'assistant', parts: [{ text: 'a time ' }] },
      { role: 'user', isNote: true },
    ]);
  });

  it('is continued a bounded number of times', async () => {
    const agent = await new AgentUnderTest({ script: () => cut('more ') }).create();
    await agent.drive();
    expect(agent.model.requests).toHaveLength(maxContinuations + 1);
    expect((await agent.readEvents()).at(-2)).toEqual({
      type: 'assistant_message',
      text: 'more '.repeat(maxContinuations + 1),
    });
  });

  it('is one stream of pieces for readers', async () => {
    const pieces = ['Once ', 'upon ', 'a time'];
    let at = 0;
    const agent = await new AgentUnderTest({
      script: (_, { onText }) => {
        const text = pieces[at++] ?? '';
        onText(text);
        return at < pieces.length ? cut(text) : say(text);
      },
    }).create();
    const seen: unknown[] = [];
    agent.deltas.subscribe(agent.task.taskId, (delta) => void seen.push(delta));
    await agent.drive();
    expect(seen).toEqual([
      { step: 1, attempt: 1, at: 0, text: 'Once ' },
      { step: 1, attempt: 1, at: 5, text: 'upon ' },
      { step: 1, attempt: 1, at: 10, text: 'a time' },
    ]);
  });

  it('is continued by the next worker after a crash', async () => {
    let dies = true;
    const agent = await new AgentUnderTest({
      script: ({ transcript }) => {
        if (transcript.length === 1) return cut('The first half, ');
        if (!dies) return say('and the second.');
        dies = false;
        throw new TypeError('the worker dies');
      },
    }).create();
    await agent.drive().catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
    agent.clock.jump(2_000_000_000);
    await agent.drive();
    expect((await agent.readEvents()).at(-2)).toMatchObject({ text: 'The first half, and the second.' });
  });

  it('explains the calls that follow it with its whole text', async () => {
    const tools = [noteTool('read', 'retry', () => 'x')];
    const script = inTurn(cut('First '), reply({ type: 'text', text: 'this.' }, call('read', 'c1')), say('Done.'));
    const agent = await new AgentUnderTest({ script, tools }).create();
    await agent.drive();
    expect(await agent.readEvents()).toContainEqual({ type: 'explained', text: 'First this.' });
    expect((await agent.readEvents()).at(-2)).toEqual({ type: 'assistant_message', text: 'Done.' });
  });

  it('counts as it is if the user has written meanwhile', async () => {
    let isFirst = true;
    const agent = await new AgentUnderTest({
      script: async () => {
        if (!isFirst) return say('About cats, then.');
        isFirst = false;
        await agent.say('Rather about cats.');
        return cut('Dogs are ');
      },
    }).create();
    await agent.drive();
    const said = (await agent.readEvents()).flatMap((event) => (event.type === 'assistant_message' ? [event.text] : []));
    expect(said.join('|')).toMatch(/Dogs are \|?About cats, then\./);
  });

  it('does not run a tool call that it cuts, but those before it', async () => {
    const ran: string[] = [];
    const tools = [
      noteTool('write', 'keyed', (id) => {
        ran.push(id);
        return 'written';
      }),
    ];
    const half = { ...call('write', 'c2', '{"content": "never en'), isCut: true } as const;
    const ask = { ...call('ask_user', 'c3', '{"quest'), isCut: true } as const;
    const script = inTurn(
      { ...reply(call('write', 'c1'), half), isCut: true },
      { ...reply(ask), isCut: true },
      say('In parts, then.'),
    );
    const agent = await new AgentUnderTest({ script, tools, isInteractive: true }).create();
    await agent.drive();
    expect(ran).toEqual(['c1']);
    const answers = agent.model.requests
      .at(-1)
      ?.transcript.flatMap((entry) => (entry.role === 'tool' ? entry.results : []))
      .map(({ callId, output, isError }) => [callId, isError, output.includes('cut at the output limit')]);
    expect(answers).toEqual([
      ['c1', false, false],
      ['c2', true, true],
      ['c3', true, true],
    ]);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('does not become structured output before it is whole', async () => {
    const agent = await new AgentUnderTest({
      script: ({ outputSchema, transcript }) => {
        if (outputSchema) return say('{"city":"Paris"}');
        return transcript.some(({ role }) => role === 'assistant') ? say('ris.') : cut('Pa');
      },
      outputSchema: makeSchema('city'),
    }).create();
    await agent.drive();
    const events = await agent.readEvents();
    expect(events.findIndex(({ type }) => type === 'extract_started')).toBeGreaterThan(
      events.findIndex(({ type }) => type === 'assistant_message'),
    );
    expect(events).toContainEqual({ type: 'assistant_message', text: 'Paris.' });
  });
});
