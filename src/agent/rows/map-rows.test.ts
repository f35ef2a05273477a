import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentUnderTest, call, reply, say } from '../../../test/support/tasks/agent-under-test.ts';
import { makeSchema } from '../../../test/support/tasks/task-logs.ts';
import type { Delta } from '@errand/base/signals/deltas.ts';
import { ModelFault, type ModelFaultKind, type ModelReply, type ModelRequest } from '../../models/model.ts';
import type { RowResult, RowWork } from '../../rules/rows/row-work.ts';
import { defineTool, type Tool } from '../../tools/toolbox/tool.ts';

const schema = makeSchema('city');

/** A tool that maps these rows; what came of the last run is kept. */
function mapping(rows: readonly string[], job = 'one') {
  const seen: { results: readonly RowResult[] } = { results: [] };
  const tool: Tool = defineTool({
    name: 'map_all',
    description: 'map',
    input: z.object({}),
    effect: 'retry',
    summarize: () => ({ brief: 'map', action: 'map', param: '' }),
    async run(_, { mapRows }) {
      const work: RowWork = { job, instruction: 'Name the city.', schema, rows };
      seen.results = await mapRows(work);
      return { status: 'success', output: `${seen.results.filter(({ state }) => state === 'done').length} done` };
    },
  });
  return { tool, seen };
}

const rowOf = (request: ModelRequest) => (request.transcript[0]?.role === 'user' ? request.transcript[0].text : '');
const answer = (city: unknown) => say(JSON.stringify({ city }));
const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => `row ${at}`);
const events = async (agent: AgentUnderTest, type: string) =>
  (await agent.readEvents()).filter((event) => event.type === type) as unknown as Record<string, unknown>[];

interface Options {
  rows: readonly string[];
  answerRow: (row: string, request: ModelRequest, signal: AbortSignal) => ModelReply | Promise<ModelReply>;
  /** How many times the tool is called. */
  calls?: number;
}

async function start({ rows, answerRow, calls = 1 }: Options) {
  const { tool, seen } = mapping(rows);
  const asked: string[] = [];
  const agent = new AgentUnderTest({
    script: (request, { signal }) => {
      if (!request.outputSchema) {
        const turns = request.transcript.filter(({ role }) => role === 'assistant').length;
        return turns < calls ? reply(call('map_all', `c${turns}`)) : say('Done.');
      }
      asked.push(rowOf(request));
      return answerRow(rowOf(request), request, signal);
    },
    tools: [tool],
  });
  await agent.create();
  const cities = () => seen.results.map((result) => (result.state === 'done' ? (result.value as { city: string }).city : null));
  return { agent, asked, seen, cities };
}

function away(kind: ModelFaultKind = 'unavailable'): never {
  throw new ModelFault(kind, 'away', { usage: { input: 1, output: 0, cached: 0 } });
}

describe('mapping rows', () => {
  it('asks about each row once, without tools or the conversation, and keeps their order', async () => {
    const { agent, asked, cities } = await start({ rows: rowsOf(120), answerRow: (row) => answer(`city of ${row}`) });
    await agent.drive();
    expect(asked.toSorted()).toEqual(rowsOf(120).toSorted());
    expect(cities()).toEqual(rowsOf(120).map((row) => `city of ${row}`));
    const about = agent.model.requests.find(({ outputSchema }) => outputSchema);
    expect(about).toMatchObject({ tools: [], outputSchema: schema, system: expect.stringContaining('Name the city.') as string });
    expect(about?.transcript).toHaveLength(1);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('logs a start and an end for every fifty rows, with what they cost, and no answers', async () => {
    const { agent } = await start({ rows: rowsOf(120), answerRow: () => answer('Rome') });
    await agent.drive();
    expect((await events(agent, 'rows_started')).map(({ rows }) => rows)).toEqual([50, 50, 20]);
    const finished = await events(agent, 'rows_finished');
    expect(finished.map(({ usage }) => (usage as { input: number }).input)).toEqual([5000, 5000, 2000]);
    expect(finished.map(({ cost }) => cost)).toEqual([5500, 5500, 2200]);
    expect(JSON.stringify(await agent.readEvents())).not.toContain('Rome');
  });

  it('shows how far it is, a second apart at most and after each fifty rows', async () => {
    const { agent } = await start({ rows: rowsOf(60), answerRow: (row) => answer(row === 'row 3' ? 7 : 'Rome') });
    const shown: Delta[] = [];
    agent.deltas.subscribe(agent.task.taskId, (delta) => shown.push(delta));
    await agent.drive();
    const lines = shown.flatMap((delta) => ('callId' in delta && delta.tool === 'map_all' ? [delta.text] : []));
    expect(lines).toEqual(['49 of 60 rows\n', '60 of 60 rows, 1 failed\n']);
  });

  it('repairs an answer that does not conform once, and names the row that then fails', async () => {
    const { agent, asked, seen } = await start({
      rows: ['good', 'mended', 'bad', 'no json'],
      answerRow: (row, { reminder }) => {
        if (row === 'mended') return answer(reminder?.includes('.city') ? 'Rome' : 7);
        return row === 'no json' ? say('I will not.') : answer(row === 'bad' ? 7 : 'Oslo');
      },
    });
    await agent.drive();
    expect(seen.results).toEqual([
      { state: 'done', value: { city: 'Oslo' } },
      { state: 'done', value: { city: 'Rome' } },
      { state: 'failed', reason: '.city: expected string, got 7' },
      { state: 'failed', reason: 'it is not JSON' },
    ]);
    expect(asked).toHaveLength(7);
  });

  it('asks in another call only about the rows that failed', async () => {
    let failures = 2;
    const { agent, asked, cities } = await start({
      rows: rowsOf(10),
      calls: 2,
      answerRow: (row) => {
        if (row === 'row 4') failures -= 1;
        return answer(row === 'row 4' && failures >= 0 ? 7 : row);
      },
    });
    await agent.drive();
    expect(asked.slice(11)).toEqual(['row 4']);
    expect(cities()).toEqual(rowsOf(10));
  });

  it('calls a model for no more than eight rows at a time', async () => {
    let [now, most] = [0, 0];
    const { agent } = await start({
      rows: rowsOf(60),
      answerRow: async () => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return answer('Rome');
      },
    });
    await agent.drive();
    expect(most).toBe(8);
  });
});

describe('a model that is away while rows are mapped', () => {
  it('is waited for, and rows that were answered before are not asked about again', async () => {
    let failures = 2;
    const { agent, asked, cities } = await start({
      rows: rowsOf(20),
      answerRow: (row) => {
        if (row !== 'row 5' || failures === 0) return answer(row);
        failures -= 1;
        return away();
      },
    });
    await agent.drive();
    expect(cities()).toEqual(rowsOf(20));
    expect(asked.filter((row) => row !== 'row 5')).toHaveLength(19);
    expect(await events(agent, 'rows_failed')).toMatchObject([{ attempt: 1 }, { attempt: 1 }]);
    expect((await agent.readTypes()).filter((type) => type === 'model_waiting')).toHaveLength(2);
  });

  it('for too long fails the rest of the rows, not the task', async () => {
    const { agent, asked, seen } = await start({
      rows: rowsOf(30),
      answerRow: (row) => (Number(row.slice(4)) < 8 ? answer(row) : away()),
    });
    await agent.drive();
    expect(seen.results.filter(({ state }) => state === 'done')).toHaveLength(8);
    expect(seen.results[29]).toEqual({ state: 'failed', reason: 'the language model cannot be reached: away' });
    // Never more than those under way at the first sign.
    expect(asked.length).toBeLessThanOrEqual(8 + 6 * 8);
    expect(await agent.readStatus()).toBe('stopped');
  });

  it('or refuses every row, as with a wrong key, is not asked a thousand times', async () => {
    const { agent, asked, seen } = await start({ rows: rowsOf(200), answerRow: () => away('refused') });
    await agent.drive();
    expect(asked).toHaveLength(50);
    expect(seen.results.every(({ state }) => state === 'failed')).toBe(true);
    expect(seen.results[0]).toMatchObject({ reason: 'the language model refused it: away' });
  });

  it('or refuses some rows fails these alone', async () => {
    const { agent, seen } = await start({
      rows: rowsOf(60),
      answerRow: (row) => (row === 'row 7' ? away('refused') : answer(row)),
    });
    await agent.drive();
    expect(seen.results.flatMap(({ state }, at) => (state === 'failed' ? [at] : []))).toEqual([7]);
  });
});

describe('a task that maps rows', () => {
  it('goes on after its worker died with the rows whose answers were not stored', async () => {
    let isDead = true;
    const { agent, asked, cities } = await start({
      rows: rowsOf(30),
      answerRow: (row) => (isDead && Number(row.slice(4)) >= 20 ? new Promise<never>(() => undefined) : answer(row)),
    });
    void agent.drive();
    const countStored = () =>
      agent.database.query('SELECT COUNT(*) AS stored FROM mapped_rows').map(({ stored }) => Number(stored))[0] ?? 0;
    while (countStored() < 20) await new Promise((resolve) => setImmediate(resolve));
    const before = asked.length;
    isDead = false;
    agent.clock.jump(2_000_000_000);
    await agent.drive();
    expect(asked.slice(before).toSorted()).toEqual(rowsOf(30).slice(20).toSorted());
    expect(cities()).toEqual(rowsOf(30));
  });

  it('ends its calls at once when it is stopped', async () => {
    const aborted: string[] = [];
    const { agent, asked } = await start({
      rows: rowsOf(30),
      answerRow: (row, _, signal) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.push(row);
            reject(signal.reason as Error);
          });
        }),
    });
    const driving = agent.drive().catch((error: unknown) => String(error));
    while (asked.length < 8) await new Promise((resolve) => setImmediate(resolve));
    await agent.stop();
    expect(await driving).toContain('no longer ours');
    expect([aborted.length, asked.length]).toEqual([8, 8]);
  });

  it('leaves the rest when it has reached the limit of the instance', async () => {
    const { agent, seen } = await start({ rows: rowsOf(120), answerRow: () => answer('Rome') });
    agent.ports.budget = { ...agent.ports.budget, tokens: 5000 };
    await agent.drive();
    expect(seen.results.filter(({ state }) => state === 'done')).toHaveLength(50);
    expect(seen.results[119]).toMatchObject({ reason: expect.stringContaining('its limit of 5000 tokens') as string });
  });
});
