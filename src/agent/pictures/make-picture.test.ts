import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sampleTask } from '../../../test/support/db/store-samples.ts';
import { AgentUnderTest, call, inTurn, reply, say } from '../../../test/support/tasks/agent-under-test.ts';
import { WorkersUnderTest } from '../../../test/support/tasks/workers-under-test.ts';
import { ModelFault } from '../../models/model.ts';
import type { MadePicture, PictureModel } from '../../models/pictures/picture-model.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { expectBlob } from '../../store/blobs/blob-references.ts';
import { LeaseLost } from '../journal.ts';
import { createTask, getTask } from '../../store/tasks/tasks.ts';
import { defineTool, type Tool } from '../../tools/toolbox/tool.ts';

const request = { prompt: 'x', shape: 'square', quality: 'low', sources: [] } as const;
const usage = { input: 3, output: 50, cached: 0 };
const cost = 4_000_000;

/** A tool that requests a picture; `after` runs once it is there. */
function drawing(after: () => void = () => undefined, obstacles: (string | null)[] = []): Tool {
  return defineTool({
    name: 'draw',
    description: 'draw',
    input: z.object({}),
    effect: 'keyed',
    summarize: () => ({ brief: 'draw', action: 'draw', param: '' }),
    async run(_, { makePicture }) {
      const made = await makePicture?.(request, () => Promise.resolve(obstacles.shift() ?? null));
      after();
      if (!made || 'problem' in made) return { status: 'error', output: made?.problem ?? 'none' };
      return { status: 'success', output: `${made.model}: ${Buffer.from(made.bytes).toString()}` };
    },
  });
}

interface Options {
  make: (attempt: number, signal: AbortSignal) => Promise<MadePicture>;
  after?: () => void;
  /** What each question whether to ask for it is answered. */
  obstacles?: (string | null)[];
}

/** An agent with an image model, and a store for what that makes. */
async function start({ make, after, obstacles }: Options) {
  const made: number[] = [];
  const stored = new Map<string, Uint8Array>();
  const script = inTurn(reply(call('draw', 'c1')), say('Done.'));
  const agent = new AgentUnderTest({ script, tools: [drawing(after, obstacles)] });
  const model: PictureModel = {
    name: 'test/brush',
    estimate: () => ({ input: 7, cost: 9_000_000 }),
    make: (_, signal) => make(made.push(agent.clock.now()), signal),
  };
  agent.ports.findPictureModel = () => model;
  agent.ports.keepPicture = async (accountId, bytes) => {
    const blobId = `b${stored.size}`;
    await agent.database.run(expectBlob, { accountId, blobId, graceMs: 1_000_000 });
    stored.set(blobId, bytes);
    return { blobId, bytes: bytes.length };
  };
  agent.ports.openAttachment = (_, blobId) => {
    const bytes = stored.get(blobId);
    return Promise.resolve(
      bytes
        ? (async function* () {
            yield bytes;
          })()
        : null,
    ) as never;
  };
  await agent.create();
  const output = async () => {
    const results = (await agent.readEvents()).filter(({ type }) => type === 'tool_finished');
    return (results[0] as Extract<TaskEvent, { type: 'tool_finished' }>).output;
  };
  const pictureEvents = async () => (await agent.readEvents()).filter(({ type }) => type.startsWith('picture_'));
  const readCost = () => Number(agent.database.query('SELECT session_cost FROM tasks')[0]?.session_cost);
  return { agent, made, output, pictureEvents, readCost };
}

const picture = (): Promise<MadePicture> => Promise.resolve({ bytes: Buffer.from('pixels'), usage, cost });

describe('a picture', () => {
  it('is stored before its end is logged, with what it has cost', async () => {
    const { agent, output, pictureEvents, made } = await start({ make: picture });
    await agent.drive();
    expect(await output()).toBe('test/brush: pixels');
    expect(made).toHaveLength(1);
    expect(await pictureEvents()).toEqual([
      { type: 'picture_started', callId: 'c1', model: 'test/brush', estimatedInput: 7, estimatedCost: 9_000_000 },
      { type: 'picture_finished', callId: 'c1', blobId: 'b0', bytes: 6, usage, cost },
    ]);
  });

  it('that meets an obstacle is not ordered', async () => {
    const { agent, output, made, pictureEvents } = await start({ make: picture, obstacles: ['no room'] });
    await agent.drive();
    expect(await output()).toBe('no room');
    expect(made).toEqual([]);
    expect(await pictureEvents()).toEqual([]);
  });

  it('that was made before its worker died is taken from the store and not paid again', async () => {
    const killed = new Error('killed');
    // By then there would be no room for another.
    const { agent, output, made, pictureEvents } = await start({ make: picture, obstacles: [null, 'no room'] });
    let deaths = 0;
    agent.database.interference = {
      before: ({ operation, args }) => {
        if (deaths > 0 || operation !== 'leases.append' || !JSON.stringify(args).includes('"tool_finished"')) return;
        deaths += 1;
        throw killed;
      },
    };
    await expect(agent.drive()).rejects.toBe(killed);
    agent.clock.jump(2_000_000_000);
    await agent.drive();
    expect(deaths).toBe(1);
    expect(await output()).toContain('test/brush: pixels');
    expect(made).toHaveLength(1);
    expect((await pictureEvents()).map(({ type }) => type)).toEqual(['picture_started', 'picture_finished']);
  });

  it('whose worker died while it was made is not ordered again, is charged as estimated, and the agent learns why', async () => {
    const killed = new LeaseLost();
    const { agent, output, made, pictureEvents } = await start({
      make: () => Promise.reject(killed),
    });
    await expect(agent.drive()).rejects.toBe(killed);
    agent.clock.jump(2_000_000_000);
    await agent.drive();
    expect(made).toHaveLength(1);
    expect(await output()).toContain('it may have been paid. Call again if it is still needed');
    const [, failed] = await pictureEvents();
    expect(failed).toMatchObject({ type: 'picture_failed', kind: 'unavailable' });
    expect(failed).not.toHaveProperty('cost');
    const [row] = agent.database.query('SELECT credits FROM usage_records');
    // The estimate of the picture; the few tokens of the replies are below the tenth credit.
    expect(Number(row?.credits)).toBe(-10);
  });

  it('that the provider is too busy for is asked for three times; what it refuses, once', async () => {
    const busy = await start({ make: () => Promise.reject(new ModelFault('overloaded', 'busy')) });
    await busy.agent.drive();
    expect(busy.made).toHaveLength(3);
    const [first = 0, , third] = busy.made;
    expect(third).toBe(first + 25_000);
    expect(await busy.output()).toBe('busy');
    const refused = await start({ make: () => Promise.reject(new ModelFault('refused', 'against the rules')) });
    await refused.agent.drive();
    expect(refused.made).toHaveLength(1);
    expect(await refused.output()).toBe('against the rules');
    expect((await refused.pictureEvents())[1]).toMatchObject({ reason: 'against the rules', cost: 0 });
  });

  it('without an image model is none', async () => {
    const { agent, output, made } = await start({ make: picture });
    agent.ports.findPictureModel = () => null;
    await agent.drive();
    expect(await output()).toBe('no image model is configured');
    expect(made).toEqual([]);
  });

  it('is not ordered if the budget of the task does not cover what it may cost', async () => {
    const requests: string[] = [];
    const workers = new WorkersUnderTest(
      ({ transcript }) => (transcript.length < 2 ? reply(call('draw', 'c1')) : say('Done.')),
      [drawing()],
      {
        findPictureModel: () => ({
          name: 'test/brush',
          estimate: () => ({ input: 0, cost: 9_000_000 }),
          make: () => picture().finally(() => requests.push('made')),
        }),
      },
    );
    Object.assign(workers.model, { price: { input: 0, output: 0 } });
    const worker = workers.makeWorker(8);
    const task = sampleTask('a1', { budget: { credits: 6, onLimit: 'wait' } });
    await workers.database.run(createTask, task);
    await worker.start();
    for (let round = 0; round < 10; round += 1) await workers.clock.advance(300);
    expect(await workers.database.run(getTask, { accountId: 'a1', taskId: task.taskId })).toMatchObject({ status: 'waiting' });
    expect(requests).toEqual([]);
    await worker.stop();
  });
});
