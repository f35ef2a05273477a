import { describe, expect, it } from 'vitest';
import type { ModelPart, TaskEvent } from '../rules/events/task-event.ts';
import { AgentUnderTest, call, noteTool, reply, say, type Script } from '../../test/support/tasks/agent-under-test.ts';

const same = noteTool('look', 'retry', () => 'nothing new');
let count = 0;
const changing = noteTool('count', 'retry', () => `${(count += 1)}`);

function repeating(tool: string, times: number): Script {
  let at = 0;
  return () => ((at += 1) > times ? say('Enough.') : reply(call(tool, `c${at}`)));
}

async function drive(agent: AgentUnderTest) {
  await agent.create();
  await agent.drive();
  return (await agent.readEvents()).filter((event) => event.type === 'tool_finished');
}

describe('a task stuck in a loop', () => {
  it('gets a warning with the third identical result, and its fifth identical call is rejected', async () => {
    const agent = new AgentUnderTest({ script: repeating('look', 6), tools: [same] });
    const ends = await drive(agent);
    expect(ends.map(({ status, isRefused = false, note }) => [status, isRefused, note !== undefined])).toEqual([
      ['success', false, false],
      ['success', false, false],
      ['success', false, true],
      ['success', false, true],
      ['error', true, false],
      ['error', true, false],
    ]);
    const results = (await agent.readTranscript()).flatMap((entry) => (entry.role === 'tool' ? entry.results : []));
    expect(results[2]?.output).toMatch(/^nothing new\n\n\[This is the same call with the same result for the 3rd time/);
    expect(results[4]?.output).toMatch(/^Not done: this very call was made 4 times/);
  });

  it('can repeat a call without limit while the results differ', async () => {
    const ends = await drive(new AgentUnderTest({ script: repeating('count', 12), tools: [changing] }));
    expect(ends.every(({ status, note }) => status === 'success' && note === undefined)).toBe(true);
  });

  it('can repeat a call again after a message from the user', async () => {
    const agent = new AgentUnderTest({ script: repeating('look', 5), tools: [same] });
    expect((await drive(agent)).at(-1)?.isRefused).toBe(true);
    await agent.say('Look once more.');
    const again = new AgentUnderTest({ script: repeating('look', 1), tools: [same] });
    agent.ports.modelFor = () => again.model;
    await agent.drive();
    const ends = (await agent.readEvents()).filter((event) => event.type === 'tool_finished');
    expect(ends.at(-1)).toMatchObject({ status: 'success' });
  });
});

describe('a task whose model only repeats calls', () => {
  const refused = (events: readonly TaskEvent[]) => events.filter((event) => event.type === 'tool_finished').slice(4);

  it.each([
    ['a tool that succeeds', (id: string) => reply(call('look', id)), true],
    ['an invalid question', (id: string) => reply(call('ask_user', id, { wrong: 1 })), true],
    ['a question in a task that may not ask', (id: string) => reply(call('ask_user', id, { question: 'May I?' })), false],
    [
      'a call that is cut each time',
      (id: string) => reply({ type: 'call', id, tool: 'look', input: {}, isCut: true } satisfies ModelPart),
      true,
    ],
  ] as const)('ends with an error after 12 such steps and one to answer in: %s', async (_, step, isInteractive) => {
    let at = 0;
    const agent = new AgentUnderTest({ script: () => step(`c${(at += 1)}`), tools: [same], isInteractive });
    await agent.create();
    await agent.drive();
    const events = await agent.readEvents();
    expect(refused(events)).toHaveLength(13);
    expect(refused(events).every((event) => event.type === 'tool_finished' && event.status === 'error')).toBe(true);
    expect(events.filter((event) => event.type === 'model_started' && event.isLast)).toHaveLength(1);
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', text: expect.stringContaining('12 steps in a row that only repeat earlier calls') as string },
      { type: 'failed' },
    ]);
    expect(await agent.readStatus()).toBe('error');
  });

  it('goes on after a message from the user, with a new count', async () => {
    const agent = new AgentUnderTest({ script: repeating('look', 100), tools: [same] });
    await drive(agent);
    expect(await agent.readStatus()).toBe('error');
    await agent.say('Go on.');
    const again = new AgentUnderTest({ script: repeating('look', 5), tools: [same] });
    agent.ports.modelFor = () => again.model;
    await agent.drive();
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('does not end while another call of each step is new, or a result changes', async () => {
    let at = 0;
    const script: Script = () => {
      at += 1;
      return at > 40 ? say('Enough.') : reply(call('look', `a${at}`), ...(at % 8 === 0 ? [call('count', `b${at}`)] : []));
    };
    const agent = new AgentUnderTest({ script, tools: [same, changing] });
    await drive(agent);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('ends normally if the model answers when it is told', async () => {
    const script: Script = ({ reminder, transcript }) =>
      reminder?.includes('only repeat earlier calls') ? say('I am stuck.') : reply(call('look', `c${transcript.length}`));
    const agent = new AgentUnderTest({ script, tools: [same] });
    await drive(agent);
    expect((await agent.readEvents()).at(-2)).toMatchObject({ type: 'assistant_message', text: 'I am stuck.' });
  });
});

describe('a reply of several steps after repeated calls', () => {
  const script =
    (pieces: number, said: (string | undefined)[], repeatedAfter = false): Script =>
    ({ reminder }) => {
      said.push(reminder);
      const step = said.length;
      if (step <= 9 || (repeatedAfter && step > 9 + pieces)) return reply(call('look', `c${step}`));
      return step > 9 + pieces ? say('the end.') : { ...say('more '), isCut: true };
    };

  it('is not ended in its middle', async () => {
    const reminders: (string | undefined)[] = [];
    const agent = new AgentUnderTest({ script: script(8, reminders), tools: [same] });
    await drive(agent);
    expect(reminders.filter((reminder) => reminder?.includes('reached its limit'))).toEqual([]);
    expect((await agent.readEvents()).at(-2)).toMatchObject({ text: `${'more '.repeat(8)}the end.` });
  });

  it('does not count among the repeating steps, and does not end their count', async () => {
    const reminders: (string | undefined)[] = [];
    const agent = new AgentUnderTest({ script: script(5, reminders, true), tools: [same] });
    await drive(agent);
    expect(reminders).toHaveLength(4 + 12 + 5 + 1);
    expect(await agent.readStatus()).toBe('error');
  });
});

describe('a task that leaves its loop in its last step', () => {
  it.each([
    ['a budget', (at: number) => reply(call('count', `c${at}`)), 'its limit of 25 steps'],
    ['another loop', (at: number) => reply(call('look', `c${at}`)), 'only repeat earlier calls'],
  ] as const)('has a last step again when it reaches %s', async (_, next, words) => {
    const reminders: string[] = [];
    let at = 0;
    const script: Script = ({ reminder = '' }) => {
      at += 1;
      if (reminder.includes('reached its limit')) reminders.push(reminder);
      if (reminders.length === 2) return say('So far.');
      return at === 17 ? reply(call('count', `c${at}`)) : at < 17 ? reply(call('look', `c${at}`)) : next(at);
    };
    const agent = new AgentUnderTest({ script, tools: [same, changing] });
    agent.ports.budget = { ...agent.ports.budget, steps: words.includes('25') ? 25 : 100 };
    await drive(agent);
    expect(reminders).toEqual([expect.stringContaining('only repeat'), expect.stringContaining(words)]);
    expect((await agent.readEvents()).at(-2)).toMatchObject({ type: 'assistant_message', text: 'So far.' });
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('has it once more at most when its budget is used up at the same time', async () => {
    let at = 0;
    const script: Script = () => reply(call((at += 1) > 16 ? 'count' : 'look', `c${at}`));
    const agent = new AgentUnderTest({ script, tools: [same, changing] });
    agent.ports.budget = { ...agent.ports.budget, steps: 16 };
    await drive(agent);
    const events = await agent.readEvents();
    expect(events.filter((event) => event.type === 'model_started' && event.isLast)).toHaveLength(2);
    expect(await agent.readStatus()).toBe('error');
  });
});

describe('a task over its budget', () => {
  it('is notified of its last step, and ends successfully if it answers', async () => {
    const agent = new AgentUnderTest({
      script: ({ reminder, transcript }) =>
        reminder?.includes('its limit of 3 steps') ? say('So far.') : reply(call('count', `c${transcript.length}`)),
      tools: [changing],
    });
    agent.ports.budget = { ...agent.ports.budget, steps: 3 };
    await drive(agent);
    const events = await agent.readEvents();
    expect(events.filter(({ type }) => type === 'model_finished')).toHaveLength(4);
    expect(events.at(-2)).toMatchObject({ type: 'assistant_message', text: 'So far.' });
    expect(await agent.readStatus()).toBe('stopped');
  });

  it.each([
    ['steps', 3, '3 steps'],
    ['tokens', 400, '400 tokens'],
  ] as const)('of %s ends with an error naming the limit if it does not', async (kind, limit, words) => {
    const agent = new AgentUnderTest({ script: repeating('count', 1000), tools: [changing] });
    agent.ports.budget = { ...agent.ports.budget, [kind]: limit };
    await drive(agent);
    const events = await agent.readEvents();
    expect(events.filter((event) => event.type === 'model_started' && event.isLast)).toHaveLength(1);
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', errorType: 'budget_exceeded', text: expect.stringContaining(`its limit of ${words}`) as string },
      { type: 'failed' },
    ]);
    expect(await agent.readStatus()).toBe('error');
  });

  it('of time ends the same way, and a message from the user starts a new budget', async () => {
    const agent = new AgentUnderTest({ script: repeating('wait', 5), tools: [] });
    const wait = noteTool('wait', 'retry', () => {
      agent.clock.jump(40_000);
      return `${agent.clock.now()}`;
    });
    agent.ports.toolbox = agent.ports.toolbox.extend([wait]);
    agent.ports.budget = { ...agent.ports.budget, minutes: 1 };
    await drive(agent);
    expect(await agent.readStatus()).toBe('error');
    await agent.say('Go on.');
    await agent.drive();
    expect(await agent.readStatus()).toBe('stopped');
  });
});
