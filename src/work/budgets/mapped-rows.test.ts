import { expect, it } from 'vitest';
import { z } from 'zod';
import { sampleTask } from '../../../test/support/db/store-samples.ts';
import { call, reply, say, type Script } from '../../../test/support/tasks/agent-under-test.ts';
import { makeSchema } from '../../../test/support/tasks/task-logs.ts';
import { WorkersUnderTest } from '../../../test/support/tasks/workers-under-test.ts';
import { createTask, getTask } from '../../store/tasks/tasks.ts';
import { updateTask } from '../../store/tasks/task-update.ts';
import { readLog } from '../../store/events/events.ts';
import { defineTool } from '../../tools/toolbox/tool.ts';

const accountId = 'a1';
const rows = Array.from({ length: 20 }, (_, at) => `row ${at}`);

const mapAll = defineTool({
  name: 'map_all',
  description: 'map',
  input: z.object({}),
  effect: 'retry',
  summarize: () => ({ brief: 'map', action: 'map', param: '' }),
  async run(_, { mapRows }) {
    const results = await mapRows({ job: 'j', instruction: 'x', schema: makeSchema('city'), rows });
    return { status: 'success', output: `${results.filter(({ state }) => state === 'done').length} done` };
  },
});

it('a table costs no more than the budget of its task, which then waits and goes on with the rows that are left', async () => {
  const asked: string[] = [];
  // An answer costs one credit, the longest possible eight.
  const usage = { input: 0, output: 1000, cached: 0 };
  const script: Script = ({ outputSchema, transcript }) => {
    if (!outputSchema)
      return { ...(transcript.length < 2 ? reply(call('map_all', 'c1')) : say('Done.')), usage: { ...usage, output: 0 } };
    const [row] = transcript;
    asked.push(row?.role === 'user' ? row.text : '');
    return { ...say('{"city":"Rome"}'), usage };
  };
  const workers = new WorkersUnderTest(script, [mapAll]);
  Object.assign(workers.model, { price: { input: 0, output: 1000 }, followsScript: true });
  const worker = workers.makeWorker(8);
  const task = sampleTask(accountId, { budget: { credits: 6, onLimit: 'wait' } });
  const { taskId } = task;
  const settle = async () => {
    for (let round = 0; round < 20; round += 1) await workers.clock.advance(300);
  };
  const read = () => workers.database.run(getTask, { accountId, taskId });
  await workers.database.run(createTask, task);
  await worker.start();
  await settle();
  expect(await read()).toMatchObject({ status: 'waiting' });
  // The worst case of ten rows fits, of twenty it does not.
  expect(asked).toHaveLength(10);
  const log = await workers.database.run(readLog, { accountId, taskId, afterSeq: 0, limit: 1000 });
  expect(log.filter(({ event }) => event.type === 'budget_warning')).toHaveLength(1);
  expect(log.some(({ event }) => event.type === 'tool_finished')).toBe(false);
  const share = { title: null, isHidden: null, share: null };
  await workers.database.run(updateTask, { accountId, taskId, now: 1, ...share, budget: { credits: 100, onLimit: null } });
  await settle();
  expect(await read()).toMatchObject({ status: 'stopped' });
  expect(asked.toSorted()).toEqual(rows.toSorted());
  await worker.stop();
});
