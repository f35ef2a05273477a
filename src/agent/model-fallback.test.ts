import { describe, expect, it } from 'vitest';
import {
  AgentUnderTest,
  call,
  noteTool,
  plainTool,
  reply,
  say,
  type Script,
  ScriptedModel,
} from '../../test/support/tasks/agent-under-test.ts';
import { makeSchema } from '../../test/support/tasks/task-logs.ts';
import { type Model, ModelFault, type ModelFaultKind, type ModelRequest } from '../models/model.ts';
import type { TaskEvent } from '../rules/events/task-event.ts';
import { expectBlob } from '../store/blobs/blob-references.ts';

interface Named extends Model {
  requests: ModelRequest[];
}

/** A model of this name with its own price. */
function named(name: string, script: Script, extra: Partial<Model> = {}): Named {
  const inner = new ScriptedModel(script);
  const { window, outputLimit, requests } = inner;
  const price = { input: name.length, output: 0 };
  return { name, window, outputLimit, price, requests, call: (request, options) => inner.call(request, options), ...extra };
}

const away =
  (kind: ModelFaultKind = 'unavailable') =>
  () => {
    throw new ModelFault(kind, `${kind}!`, { requestId: 'req-7' });
  };

async function open(
  first: Named,
  fallbacks: readonly Model[] = [],
  options: Partial<ConstructorParameters<typeof AgentUnderTest>[0]> = {},
) {
  const agent = new AgentUnderTest({ script: () => say('unused'), ...options });
  agent.ports.modelFor = () => ({ ...first, fallbacks });
  return agent.create();
}

function ofType<Type extends TaskEvent['type']>(events: readonly TaskEvent[], type: Type) {
  return events.flatMap((event) => (event.type === type ? [event as Extract<TaskEvent, { type: Type }>] : []));
}

describe('the models of a profile', () => {
  it.each(['overloaded', 'unavailable', 'malformed'] as const)('replace one another at once if one is %s', async (kind) => {
    const second = named('b/second', () => say('Here I am.'));
    const agent = await open(named('a/first', away(kind)), [second]);
    await agent.drive();
    const events = await agent.readEvents();
    expect(agent.clock.monotonic()).toBe(0);
    expect(ofType(events, 'model_started').map(({ model }) => model)).toEqual(['a/first', 'b/second']);
    expect(ofType(events, 'model_failed')).toMatchObject([{ switchTo: 'b/second' }]);
    expect(ofType(events, 'model_waiting')).toEqual([]);
    expect(ofType(events, 'model_finished')).toMatchObject([{ cost: 100 * 'b/second'.length }]);
    expect(events.at(-2)).toMatchObject({ type: 'assistant_message', text: 'Here I am.' });
  });

  it('do not get a request that one refuses', async () => {
    const second = named('b/second', () => say('Never.'));
    const agent = await open(named('a/first', away('refused')), [second]);
    await agent.drive();
    expect(second.requests).toHaveLength(0);
    expect(await agent.readStatus()).toBe('error');
  });

  it('are all tried before a pause, and again after it', async () => {
    let calls = 0;
    const late: Script = () => {
      calls += 1;
      return calls < 3 ? away()() : say('At last.');
    };
    const first = named('a/first', away());
    const agent = await open(first, [named('b/second', late)]);
    await agent.drive();
    expect(agent.clock.monotonic()).toBe(1000 + 2000);
    expect(first.requests).toHaveLength(3);
    expect(ofType(await agent.readEvents(), 'model_waiting').map(({ model }) => model)).toEqual(['b/second', 'b/second']);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('end the task after five rounds, as a single one would after five calls', async () => {
    const [first, second] = [named('a/first', away()), named('b/second', away())];
    const agent = await open(first, [second]);
    await agent.drive();
    expect([first.requests.length, second.requests.length]).toEqual([5, 5]);
    expect(await agent.readStatus()).toBe('error');
  });

  it('stay in use for the next steps and after a crash, and the first one is tried again after ten minutes', async () => {
    let dies = false;
    const first = named('a/first', away());
    let steps = 0;
    const second = named('b/second', () => {
      if (dies) {
        dies = false;
        throw new TypeError('the worker dies');
      }
      steps += 1;
      if (steps === 2) dies = true;
      return steps < 4 ? reply(call('read', `c${steps}`)) : say('Done.');
    });
    const tools = [noteTool('read', 'retry', (id) => `x${id}`)];
    const agent = await open(first, [second], { tools });
    await agent.drive().catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
    expect(first.requests).toHaveLength(1);
    agent.clock.jump(2_000_000_000);
    await agent.drive();
    expect(await agent.readStatus()).toBe('stopped');
    expect(first.requests).toHaveLength(2);
  });

  it('also replace one another for structured output', async () => {
    const first = named('a/first', ({ outputSchema }) => (outputSchema ? away()() : say('Paris.')));
    const second = named('b/second', () => say('{"city":"Paris"}'));
    const agent = await open(first, [second], { outputSchema: makeSchema('city') });
    await agent.drive();
    expect((await agent.readEvents()).at(-1)).toMatchObject({ type: 'extract_delivered', value: { city: 'Paris' } });
  });

  it('are told that pictures are left out if only another of them can see', async () => {
    let calls = 0;
    const first = named(
      'a/first',
      () => {
        calls += 1;
        return calls === 1 ? reply(call('look', 'c1')) : away()();
      },
      { canSee: true },
    );
    const second = named('b/second', () => say('I cannot see it.'));
    const pictures = [{ blobId: 'b1', bytes: 9, name: 'p' }];
    const look = plainTool('look', 'retry', () => Promise.resolve({ status: 'success', output: 'a picture', pictures }));
    const agent = await open(first, [second], { tools: [look] });
    await agent.database.run(expectBlob, { accountId: 'a1', blobId: 'b1', graceMs: 1 });
    await agent.drive();
    const asked = second.requests.at(-1);
    expect(asked?.images).toBeUndefined();
    expect(asked?.reminder).toContain('Pictures of this conversation are left out');
    expect(first.requests[0]?.reminder).toBeUndefined();
  });
});

describe('the patience of an operator', () => {
  it('waits an outage of hours out, with growing pauses of at most some minutes, and says so', async () => {
    let calls = 0;
    let backAt = 0;
    const agent = await open(
      named(
        'a/first',
        () => {
          calls += 1;
          return agent.clock.monotonic() < backAt ? away()() : say('Back again.');
        },
        { patienceMs: 240 * 60_000 },
      ),
    );
    backAt = 3 * 3_600_000;
    await agent.drive();
    expect(await agent.readStatus()).toBe('stopped');
    expect(calls).toBeLessThan(60);
    const events = await agent.readEvents();
    const waits = ofType(events, 'model_waiting');
    expect(waits).toHaveLength(calls - 1);
    const since = waits.map(({ sinceMs }) => sinceMs);
    // The first is told before the failure has its place in the log.
    expect(new Set(since.slice(1)).size).toBe(1);
    expect(since[0]).toBeLessThanOrEqual(since[1] ?? 0);
    const failures = ofType(events, 'model_failed');
    expect(waits.map(({ nextTryAtMs }) => nextTryAtMs)).toEqual(failures.map(({ retryAt }) => retryAt));
  });

  it('ends, with the error of the last call', async () => {
    const agent = await open(named('a/first', away('overloaded'), { patienceMs: 10 * 60_000 }));
    await agent.drive();
    expect(await agent.readStatus()).toBe('error');
    expect(agent.clock.monotonic()).toBeGreaterThan(5 * 60_000);
    expect(agent.clock.monotonic()).toBeLessThanOrEqual(10 * 60_000);
    expect((await agent.readEvents()).at(-2)).toMatchObject({ errorType: 'model_overloaded' });
  });

  it('of zero makes one call', async () => {
    const model = named('a/first', away(), { patienceMs: 0 });
    const agent = await open(model);
    await agent.drive();
    expect(model.requests).toHaveLength(1);
    expect(await agent.readStatus()).toBe('error');
  });

  it('survives a restart in the middle of a pause', async () => {
    const agent = await open(named('a/first', away(), { patienceMs: 240 * 60_000 }));
    const lease = await agent.take();
    const journal = await agent.openJournal(lease);
    const usage = { input: 0, output: 0, cached: 0 };
    const retryAt = agent.clock.now() + 5 * 60_000;
    await journal.append([
      { type: 'model_started', step: 1, attempt: 1, model: 'a/first', estimatedInput: 1 },
      { type: 'model_failed', step: 1, attempt: 1, reason: 'away', retryAt, usage },
    ]);
    agent.ports.modelFor = () => named('a/first', () => say('Back again.'), { patienceMs: 240 * 60_000 });
    agent.clock.jump(2_000_000_000);
    await agent.drive();
    expect(await agent.readStatus()).toBe('stopped');
  });
});

describe('a failed call', () => {
  it('is a line in the log of the service', async () => {
    const lines: object[] = [];
    const agent = await open(named('a/first', away('overloaded'), { patienceMs: 0 }));
    agent.ports.log = {
      ...agent.ports.log,
      warn: (fields: object | string) => void (typeof fields === 'object' && lines.push(fields)),
    };
    await agent.drive();
    expect(lines).toEqual([
      {
        account_id: agent.task.accountId,
        task_id: agent.task.taskId,
        model: 'a/first',
        call: 'step',
        kind: 'overloaded',
        reason: 'overloaded!',
        ms: 0,
        request_id: 'req-7',
      },
    ]);
  });
});
