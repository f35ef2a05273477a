import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment, type Shape } from '../support/service/deployment.ts';
import { auditLedger } from '../support/credits/ledger-audit.ts';
import { type ModelServer, type Rule, startModelServer } from '../support/models/model-server.ts';
import { isEnd } from '../support/service/service-client.ts';
import { auditTask, readTasks } from '../support/tasks/task-audit.ts';

const steps = 500;
const window = 32_000;

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

const plan = { steps: [{ title: 'Go through all files', status: 'doing' }] };

/** Writes files and reads them again, with a plan in the beginning. */
function scriptStep(at: number) {
  if (at === 0) return { calls: [{ tool: 'update_plan', input: plan }] };
  const path = `file-${Math.floor((at - 1) / 4)}.txt`;
  const start = (at - 1) % 4;
  const content = `A line of ${path} with some words.\n`.repeat(120);
  const isWrite = start === 0;
  const input = isWrite ? { path, content } : { path, start_line: start };
  return { text: `Step ${at}.`, calls: [{ tool: isWrite ? 'write_file' : 'read_file', input }] };
}

const script: Rule[] = [
  {
    match: 'Sum up the conversation below',
    repeatsLast: true,
    steps: [{ text: 'Files were written and read. Go on with the next.' }],
  },
  {
    match: 'long-task',
    order: 'call',
    repeatsLast: true,
    // The call that the crash interrupts is one more.
    steps: [...Array.from({ length: steps + 1 }, (_, at) => scriptStep(at)), { text: 'All of it is done.' }],
  },
];

describe.each(['sqlite', 'postgres'] satisfies Shape[])('a task of 500 steps on %s', (shape) => {
  it('stays inside a window of 32,000 tokens, also after a crash in the middle', async () => {
    await model.reset();
    await model.script(script);
    await using deployment = await Deployment.start(shape, {
      model,
      env: { ERRAND_MODEL_WINDOW: String(window), ERRAND_LEASE_TTL_MS: '1000' },
    });
    const { client, api } = deployment;
    const taskId = await client.createTask('long-task: write and read all files.');
    let used = 0;
    await client.follow(taskId, ({ type }) => type === 'tool_used' && ++used === steps / 2, 800_000);
    await api.restart();
    await client.follow(taskId, isEnd, 800_000);
    const calls = await model.calls();
    const tokens = calls.map(({ body }) => JSON.stringify(body).length / 4);
    // With the whole envelope, and space for the reply.
    expect(Math.max(...tokens)).toBeLessThan(window * 0.9);
    const [task] = await readTasks(deployment);
    const count = (type: string) => task?.log.filter(({ event }) => event.type === type).length ?? 0;
    expect(count('model_finished')).toBeGreaterThanOrEqual(steps);
    expect(count('context_cleared')).toBeGreaterThan(10);
    expect(count('compacted')).toBeGreaterThan(3);
    expect(task?.log.at(-2)?.event).toMatchObject({ type: 'assistant_message', text: 'All of it is done.' });
    const bodies = calls.map(({ body }) => JSON.stringify(body));
    expect(
      bodies.filter((body) => body.includes('Go through all files') && body.includes('Your plan as it stands')).length,
    ).toBeGreaterThan(steps - 5);
    // A later part of a summary starts from what the part before was summed up to.
    const whole = bodies.filter((body) => !body.includes('Summary of the part before'));
    expect(whole.every((body) => body.includes('long-task: write and read all files.'))).toBe(true);
    expect(task ? [...auditTask(task), ...(await auditLedger(deployment, [task]))] : ['no task']).toEqual([]);
  });
});
