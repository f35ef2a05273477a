import type { PacedJob, PacedResult } from '../load/paced-job.ts';
import { readProcessorMs } from '../process/process-facts.ts';
import { runProgram, startProgram } from '../process/program.ts';
import { createRequest, createTask } from '../service/service-calls.ts';
import { modelSettings } from './end-to-end.ts';
import type { Measure } from './measure.ts';

export const paced: Measure = {
  name: 'paced',
  about: 'cores that 500 creations and 500 reads a second take, of tasks whose model answers after a second (Linux)',
  async take(bed) {
    const { pacedPerSecond: perSecond, pacedMs: durationMs } = bed.sizes;
    const model = await startProgram('load/slow-model.ts');
    try {
      const { text } = await model.waitForLine((line) => line.source === 'stdout' && line.text.startsWith('{'));
      const databaseUrl = await bed.createDatabase();
      const env = modelSettings((JSON.parse(text) as { url: string }).url);
      await using service = await bed.startService({ env, databaseUrl });
      const { url, apiKey, pid } = service;
      const taskId = await createTask(service, 'wait 1');
      const read = { method: 'GET' as const, path: `/v2/task.detail?task_id=${taskId}` };
      const job: PacedJob = { url, apiKey, perSecond, durationMs, create: createRequest('wait 1'), read };
      const pids = [pid, ...(await bed.listBackends(databaseUrl))];
      const spentMs = () => pids.map(readProcessorMs);
      const before = spentMs();
      const result = await runProgram<PacedResult>('load/paced.ts', job);
      const [own = NaN, ...backends] = spentMs().map((ms, at) => (ms - (before[at] ?? 0)) / durationMs);
      const database = backends.reduce((sum, cores) => sum + cores, 0);
      const times = `create p50 ${result.createP50Ms.toFixed(1)}, p99 ${result.createP99Ms.toFixed(1)} ms`;
      const readTimes = `read p50 ${result.readP50Ms.toFixed(1)}, p99 ${result.readP99Ms.toFixed(1)} ms`;
      const note = `${own.toFixed(2)} cores of the service, ${database.toFixed(2)} of the database; ${times}; ${readTimes}; ${result.failures} failures`;
      return [{ name: `CPU of ${perSecond} creations and reads a second`, value: (own + database) * 100, unit: '%', note }];
    } finally {
      model.signal('SIGKILL');
      await model.ended;
    }
  },
};
