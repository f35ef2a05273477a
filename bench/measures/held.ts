import { runLoad } from '../load/run-load.ts';
import { pause } from '../process/pause.ts';
import { readMemory, readProcessorMs } from '../process/process-facts.ts';
import { startProgram } from '../process/program.ts';
import { createRequest, listTasks } from '../service/service-calls.ts';
import type { TestBed, UsedService } from '../service/test-bed.ts';
import { modelSettings } from './end-to-end.ts';
import type { Measure, Taken } from './measure.ts';

const settleMs = 5000;

/** Waits until so many tasks of the service are with the model; fails if one ends, because nobody would wait for the others then. */
async function waitForCalls({ url, apiKey }: UsedService, count: number): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${apiKey}` } });
    const metrics = await response.text();
    const held = Number(/^errand_worker_tasks (\d+)/m.exec(metrics)?.[1]);
    if (held >= count) return;
    if (metrics.includes('errand_turns_ended_total{')) throw new Error(`tasks end while ${held} of ${count} are held`);
    await pause(200);
  }
}

async function create(service: UsedService, text: string, count: number): Promise<void> {
  const { url, apiKey } = service;
  await runLoad({ url, apiKey, warmup: 0, count, requests: [createRequest(text)] });
  await waitForCalls(service, count);
}

/** Memory of tasks that wait for the model, each with a conversation of one message. */
async function holdTasks(bed: TestBed, modelUrl: string): Promise<Taken> {
  const { heldTasks: count, idleMs } = bed.sizes;
  // One account may hold seven eighths of a worker's slots.
  const env = { ...modelSettings(modelUrl), ERRAND_WORKER_CONCURRENCY: String(Math.ceil(count * 1.2) + 100) };
  await using service = await bed.startService({ env });
  await create(service, 'hold', Math.min(100, count));
  await pause(Math.min(settleMs, idleMs));
  const before = readMemory(service.pid);
  const startedAt = performance.now();
  await create(service, 'hold', count);
  const seconds = (performance.now() - startedAt) / 1000;
  await pause(Math.min(settleMs, idleMs));
  const value = ((readMemory(service.pid) - before) * 1024) / count;
  return {
    name: 'memory of a task with a slow model',
    value,
    unit: 'KB',
    note: `${count} tasks, begun in ${seconds.toFixed(1)} s`,
  };
}

/** Processor time of tasks whose replies arrive at fifty tokens a second. */
async function streamReplies(bed: TestBed, modelUrl: string): Promise<Taken> {
  const { streamedTasks: count, idleMs } = bed.sizes;
  const databaseUrl = await bed.createDatabase();
  await using service = await bed.startService({ env: modelSettings(modelUrl), databaseUrl });
  await create(service, 'stream 3600', count);
  await pause(Math.min(settleMs, idleMs));
  const before = readProcessorMs(service.pid);
  const startedAt = performance.now();
  await pause(idleMs);
  const spent = (readProcessorMs(service.pid) - before) / (performance.now() - startedAt);
  const running = (await listTasks(service, 1))[0]?.status;
  if (running !== 'running') throw new Error(`the replies do not last: ${running}`);
  const note = `${count} tasks, ${((spent / count / 50) * 1e6).toFixed(1)} µs a token`;
  return { name: 'CPU of streaming replies', value: spent * 100, unit: '%', note };
}

export const held: Measure = {
  name: 'held',
  about: 'memory of thousands of tasks that wait for slow models, processor time of replies at 50 tokens a second (Linux)',
  async take(bed) {
    const model = await startProgram('load/slow-model.ts');
    try {
      const { text } = await model.waitForLine((line) => line.source === 'stdout' && line.text.startsWith('{'));
      const { url } = JSON.parse(text) as { url: string };
      return [await holdTasks(bed, url), await streamReplies(bed, url)];
    } finally {
      model.signal('SIGKILL');
      await model.ended;
    }
  },
};
