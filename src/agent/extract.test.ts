import { describe, expect, it } from 'vitest';
import { AgentUnderTest, call, inTurn, noteTool, reply, type Script, say } from '../../test/support/tasks/agent-under-test.ts';
import { makeSchema } from '../../test/support/tasks/task-logs.ts';
import { ModelFault, type ModelReply, type ModelRequest } from '../models/model.ts';
import { mostSearchSteps } from '../rules/output/extraction-state.ts';
import type { OutputSchema } from '../rules/events/task-event.ts';

const schema: OutputSchema = { ...makeSchema('city') };
const failed = { success: false, value: { city: '' }, error: 'Failed to extract structured output' };
const unfit = { success: false, value: { city: '' }, error: 'Extracted value does not conform to the provided schema' };

/** Answers the task with one word, and each extraction with the next of these. */
function extracting(...answers: ((request: ModelRequest) => ModelReply | Promise<ModelReply>)[]): Script {
  let count = 0;
  return (request) => {
    if (!request.outputSchema) return say('Paris.');
    const answer = answers[Math.min(count, answers.length - 1)];
    count += 1;
    return answer?.(request) ?? say('{}');
  };
}

const json = (value: unknown) => () => say(JSON.stringify(value));
const fault = (kind: 'refused' | 'overloaded', retryAfterMs?: number) => () => {
  throw new ModelFault(kind, 'no', retryAfterMs === undefined ? {} : { retryAfterMs });
};

async function extract(script: Script) {
  const agent = await new AgentUnderTest({ script, outputSchema: schema }).create();
  await agent.drive();
  const events = await agent.readEvents();
  return { agent, events, last: events.at(-1), calls: agent.model.requests.filter(({ outputSchema }) => outputSchema).length };
}

/** An extraction whose worker dies at its second call, and that another worker resumes; how many calls it made. */
async function resumeExtraction(answer: (call: number) => string) {
  let calls = 0;
  const agent = await new AgentUnderTest({
    script: (request) => {
      if (!request.outputSchema) return say('Paris.');
      calls += 1;
      if (calls === 2) throw new TypeError('the worker dies');
      return say(answer(calls));
    },
    outputSchema: schema,
  }).create();
  await agent.drive().catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
  agent.clock.jump(2_000_000_000);
  await agent.drive();
  return { agent, calls };
}

describe('structured output', () => {
  it('is delivered immediately after the end of the turn', async () => {
    const { agent, events } = await extract(extracting(json({ city: 'Paris' })));
    expect(events.slice(-5)).toMatchObject([
      { type: 'assistant_message', text: 'Paris.' },
      { type: 'extract_started', attempt: 1 },
      { type: 'extract_finished', success: true },
      { type: 'stopped', by: 'agent' },
      { type: 'extract_delivered', success: true, value: { city: 'Paris' }, error: null },
    ]);
    expect(agent.model.requests.at(-1)).toMatchObject({ outputSchema: schema, tools: [] });
  });

  it.each<[string, string, string?]>([
    ['in a fence', '```json\n{"city": "Paris"}\n```'],
    ['in a fence without a language', 'Here it is:\n```\n{"city": "Paris"}\n```'],
    ['containing a fence', '{"city":"```json\\nParis```"}', '```json\nParis```'],
    ['in a fence, containing another', '```json\n{"city":"```Paris```"}\n```', '```Paris```'],
    ['in the first of two fences', '```json\n{"city":"Paris"}\n```\nor\n```\nRome\n```'],
    ['with surrounding whitespace', '\n {"city":"Paris"} \n'],
  ])('is parsed %s', async (_, text, city = 'Paris') => {
    expect((await extract(extracting(() => say(text)))).last).toMatchObject({ success: true, value: { city } });
  });

  it('is requested once more, with the reason, if it does not conform', async () => {
    const { agent, last, calls } = await extract(extracting(json({ town: 'Paris' }), json({ city: 'Paris' })));
    expect(last).toMatchObject({ success: true, value: { city: 'Paris' } });
    expect(calls).toBe(2);
    const asked = agent.model.requests.at(-1)?.transcript.at(-1);
    expect(asked?.role === 'user' && asked.text).toContain('did not conform');
  });

  it('is the zero value with the documented text if it never conforms', async () => {
    for (const answer of [json({ city: 7 }), () => say('Paris, I think.')]) {
      const { last, calls } = await extract(extracting(answer));
      expect(last).toEqual({ type: 'extract_delivered', ...unfit });
      expect(calls).toBe(2);
    }
  });

  it('is the zero value with the documented text if the call is refused', async () => {
    const { last, calls } = await extract(extracting(fault('refused')));
    expect(last).toEqual({ type: 'extract_delivered', ...failed });
    expect(calls).toBe(1);
  });

  it('is retried like any other call while the model is overloaded, and then abandoned', async () => {
    const { agent, last, calls } = await extract(extracting(fault('overloaded')));
    expect(last).toEqual({ type: 'extract_delivered', ...failed });
    expect(calls).toBe(5);
    expect(agent.clock.monotonic()).toBeLessThanOrEqual(120_000);
    const forgiven = await extract(extracting(fault('overloaded'), json({ city: 'Paris' })));
    expect(forgiven.last).toMatchObject({ success: true });
  });

  it('does not wait for a model that requests more than two minutes', async () => {
    const { agent, last } = await extract(extracting(fault('overloaded', 86_400_000)));
    expect(agent.clock.monotonic()).toBeLessThanOrEqual(120_000);
    expect(last).toEqual({ type: 'extract_delivered', ...failed });
  });

  it('reflects the end of the conversation: a message that arrives meanwhile voids it', async () => {
    let isFirst = true;
    const agent = await new AgentUnderTest({
      script: async (request) => {
        if (!request.outputSchema) return say(request.transcript.some(({ role }) => role === 'assistant') ? 'Rome.' : 'Paris.');
        if (isFirst) {
          isFirst = false;
          await agent.say('No, the other one.');
          return say('{"city":"Paris"}');
        }
        return say('{"city":"Rome"}');
      },
      outputSchema: schema,
    }).create();
    await agent.drive();
    const events = await agent.readEvents();
    expect(events.at(-1)).toMatchObject({ type: 'extract_delivered', value: { city: 'Rome' } });
    expect(events.filter(({ type }) => type === 'stopped')).toHaveLength(1);
    const said = events.flatMap((event) => (event.type === 'assistant_message' ? [event.text] : []));
    expect(said).toEqual(['Paris.', 'Rome.']);
    // The discarded call is billed like any other.
    expect(events.filter(({ type }) => type === 'extract_finished')).toHaveLength(2);
  });

  it('uses the schema of a message that arrives meanwhile', async () => {
    let isFirst = true;
    const agent = await new AgentUnderTest({
      script: async (request) => {
        if (!request.outputSchema) return say('Paris.');
        if (isFirst) {
          isFirst = false;
          await agent.say('As a town.', { outputSchema: makeSchema('town') });
          return say('{"nothing":1}');
        }
        return say('{"town":"Paris"}');
      },
      outputSchema: schema,
    }).create();
    await agent.drive();
    expect((await agent.readEvents()).at(-1)).toMatchObject({
      type: 'extract_delivered',
      success: true,
      value: { town: 'Paris' },
    });
  });

  it('keeps counting after a crash, and eventually gives up', async () => {
    const agent = await new AgentUnderTest({
      script: (request) => {
        if (!request.outputSchema) return say('Paris.');
        throw new TypeError('the worker dies');
      },
      outputSchema: schema,
    }).create();
    let drives = 0;
    for (; (await agent.readStatus()) === 'running'; drives += 1) {
      expect(drives).toBeLessThan(9);
      await agent.drive().catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
      agent.clock.jump(2_000_000_000);
    }
    expect((await agent.readEvents()).at(-1)).toEqual({ type: 'extract_delivered', ...failed });
  });

  it('is repaired after a crash instead of being started over', async () => {
    const { agent, calls } = await resumeExtraction(() => '{"town":"Paris"}');
    expect((await agent.readEvents()).at(-1)).toEqual({ type: 'extract_delivered', ...unfit });
    expect(calls).toBe(3);
    const asked = agent.model.requests.at(-1)?.transcript.at(-1);
    expect(asked?.role === 'user' && asked.text).toContain('the property "city" is missing');
  });

  it('is billed per call: by usage, or by estimate for a call without an outcome', async () => {
    const { agent } = await resumeExtraction((count) => (count === 1 ? '{}' : '{"city":"Paris"}'));
    const events = await agent.readEvents();
    const estimates = events.flatMap((event) => (event.type === 'extract_started' ? [event.estimatedCost] : []));
    const bills = events.flatMap((event) => ('usage' in event ? [event.cost] : []));
    expect(estimates).toHaveLength(3);
    expect(bills).toEqual([110, 110, 110]);
    expect(agent.database.query('SELECT session_cost FROM tasks')).toEqual([{ session_cost: 330 + Number(estimates[1]) }]);
  });

  it('stays armed across questions and stops by the user', async () => {
    const agent = await new AgentUnderTest({ script: extracting(json({ city: 'Paris' })), outputSchema: schema }).create();
    await agent.stop();
    await agent.say('Go on.');
    await agent.drive();
    expect((await agent.readEvents()).at(-1)).toMatchObject({ type: 'extract_delivered', success: true });
    await agent.say('And now?');
    await agent.drive();
    expect((await agent.readEvents()).at(-1)).toMatchObject({ type: 'stopped' });
  });

  it('is known to the agent from the step on at which it is armed', async () => {
    const agent = await new AgentUnderTest({ script: extracting(json({ city: 'Paris' })), outputSchema: schema }).create();
    await agent.drive();
    const [first] = agent.model.requests;
    expect(first?.transcript).toMatchObject([
      { role: 'user', text: 'Do it.' },
      { role: 'user', isNote: true, isSchema: true, text: expect.stringContaining(JSON.stringify(schema)) as string },
    ]);
    await agent.say('And now as a town.', { outputSchema: makeSchema('town') });
    await agent.drive();
    const notes = agent.model.requests.at(-1)?.transcript.filter((entry) => entry.role === 'user' && entry.isSchema === true);
    expect(notes).toHaveLength(2);
    expect(JSON.stringify(agent.model.requests.at(-2)?.transcript)).toContain('town');
  });

  it('sends the agent to look for what it lacks, once, with tools, and without another message to the user', async () => {
    const look = noteTool('look', 'retry', () => 'The city is Paris.');
    let values = 0;
    const agent = await new AgentUnderTest({
      script: ({ outputSchema, transcript, tools }) => {
        if (outputSchema) return say(['{"city":""}', '{"city":"Paris"}'][values++] ?? 'too often');
        const last = transcript.at(-1);
        if (last?.role === 'user' && last.text.includes('still lacks')) {
          expect(last.text).toContain('- .city');
          expect(tools.map(({ name }) => name)).toContain('look');
          return reply(call('look', 'c1'));
        }
        return say(last?.role === 'tool' ? 'It is Paris.' : 'Done.');
      },
      tools: [look],
      outputSchema: schema,
    }).create();
    await agent.drive();
    const events = await agent.readEvents();
    expect(events.at(-1)).toEqual({ type: 'extract_delivered', success: true, value: { city: 'Paris' }, error: null });
    expect(events.filter(({ type }) => type === 'assistant_message')).toEqual([{ type: 'assistant_message', text: 'Done.' }]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'extract_incomplete', missing: ['.city'], cost: 110 }));
  });

  it('does not send the agent to look for what its answer says that nothing tells', async () => {
    const { events } = await extract(({ outputSchema }) =>
      say(outputSchema ? '{"city":""}' : 'Nothing tells the city: `city: null`.'),
    );
    expect(events.at(-1)).toMatchObject({ type: 'extract_delivered', success: true, value: { city: '' } });
    expect(events.map(({ type }) => type)).not.toContain('extract_incomplete');
  });

  it('finds what an answer says that nothing tells in every piece of one that was cut and continued', async () => {
    const pieces: ModelReply[] = [
      { ...say('Nothing tells the city: `ci'), isCut: true },
      { ...say('ty: null`. '), isCut: true },
    ];
    const { events, agent } = await extract(({ outputSchema }) =>
      outputSchema ? say('{"city":""}') : (pieces.shift() ?? say('Done.')),
    );
    expect(agent.model.requests).toHaveLength(4);
    expect(events.at(-1)).toMatchObject({ type: 'extract_delivered', success: true, value: { city: '' } });
    expect(events.map(({ type }) => type)).not.toContain('extract_incomplete');
  });

  it('keeps what is known if the agent finds nothing more, however it fails to', async () => {
    const ways: Script[] = [
      () => say('Nobody can know.'),
      () => reply(call('look', `c${Math.random()}`.replace('.', ''))),
      () => {
        throw new ModelFault('refused', 'no');
      },
      () => {
        throw new ModelFault('unavailable', 'away');
      },
    ];
    for (const way of ways) {
      let searches = 0;
      const agent = await new AgentUnderTest({
        script: (request, options) => {
          if (request.outputSchema) return say('{"city":""}');
          const isSearch = request.transcript.some((entry) => entry.role === 'user' && entry.text.includes('still lacks'));
          if (isSearch) searches += 1;
          return isSearch ? way(request, options) : say('Done.');
        },
        tools: [noteTool('look', 'retry', (id) => `nothing, ${id}`)],
        outputSchema: schema,
      }).create();
      await agent.drive();
      expect((await agent.readEvents()).at(-1)).toMatchObject({ type: 'extract_delivered', success: true, value: { city: '' } });
      expect(await agent.readStatus()).toBe('stopped');
      expect(searches).toBeLessThanOrEqual(mostSearchSteps);
    }
  });

  it.each([
    ['the search only repeats calls', 9, {}],
    ['the budget of the turn is used up meanwhile', 5, { steps: 8 }],
  ])('keeps the answer and what is known if %s', async (_, callsBefore, budget) => {
    let steps = 0;
    const agent = await new AgentUnderTest({
      script: ({ outputSchema, transcript }) => {
        if (outputSchema) return say('{"city":""}');
        steps += 1;
        const isSearch = transcript.some((entry) => entry.role === 'user' && entry.text.includes('still lacks'));
        return isSearch || steps <= callsBefore ? reply(call('look', `c${steps}`)) : say('Done.');
      },
      tools: [noteTool('look', 'retry', () => 'nothing')],
      outputSchema: schema,
    }).create();
    agent.ports.budget = { ...agent.ports.budget, ...budget };
    await agent.drive();
    const events = await agent.readEvents();
    expect(events.at(-1)).toMatchObject({ type: 'extract_delivered', success: true, value: { city: '' } });
    expect(events.filter(({ type }) => type === 'error')).toEqual([]);
    expect(steps).toBe(callsBefore + 1 + mostSearchSteps);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('keeps what is known if the second extraction fails', async () => {
    const { last } = await extract(extracting(json({ city: '' }), json({ town: 1 })));
    expect(last).toMatchObject({ success: true, value: { city: '' } });
  });

  it('is not extracted without a schema', async () => {
    const agent = await new AgentUnderTest({ script: inTurn(say('Paris.')) }).create();
    await agent.drive();
    expect(await agent.readTypes()).not.toContain('extract_started');
  });
});
