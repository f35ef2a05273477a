import type { CrowdJob, CrowdResult } from '../load/crowd-job.ts';
import { runLoad } from '../load/run-load.ts';
import { pause } from '../process/pause.ts';
import { readMemory, readProcessorMs } from '../process/process-facts.ts';
import { withProgram } from '../process/program.ts';
import { createRequest, createTask, listTasks } from '../service/service-calls.ts';
import type { TestBed, UsedService } from '../service/test-bed.ts';
import type { Measure, Taken } from './measure.ts';

const settleMs = 5000;
const script = 'load/reader-crowd.ts';
const isResult = ({ source, text }: { source: string; text: string }) => source === 'stdout' && text.startsWith('{');

async function readAtOnce({ sizes }: TestBed, { url, apiKey }: UsedService, taskId: string): Promise<Taken[]> {
  const job: CrowdJob = { url, apiKey, taskIds: [taskId], readers: sizes.readers, messages: sizes.readMessages };
  const { p50Ms, p99Ms } = await withProgram(
    script,
    job,
    async (child) => JSON.parse((await child.waitForLine(isResult)).text) as CrowdResult,
  );
  const note = `${sizes.readers} readers of one task, ${sizes.readMessages} messages`;
  return [
    { name: 'event to all readers, p50', value: p50Ms ?? NaN, unit: 'ms', note },
    { name: 'event to all readers, p99', value: p99Ms ?? NaN, unit: 'ms', note },
  ];
}

async function readIdly(
  bed: TestBed,
  service: UsedService,
  taskIds: string[],
  databaseUrl: string | undefined,
): Promise<Taken[]> {
  const { idleMs, idleReaders } = bed.sizes;
  const { url, apiKey, pid } = service;
  // Long enough for what a quiet stream does now and then.
  const windowMs = idleMs * 3;
  const settle = () => pause(Math.min(settleMs, idleMs));
  const pids = [pid, ...(await bed.listBackends(databaseUrl))];
  const watch = async () => {
    await settle();
    const spentMs = () => pids.reduce((sum, one) => sum + readProcessorMs(one), 0);
    const before = spentMs();
    await pause(windowMs);
    return { percent: ((spentMs() - before) / windowMs) * 100, memoryMb: readMemory(pid) };
  };
  const without = await watch();
  const job: CrowdJob = { url, apiKey, taskIds, readers: idleReaders, messages: 0 };
  const beside = await withProgram(script, job, async (child) => {
    await child.waitForLine(isResult);
    return watch();
  });
  const note = `${idleReaders} readers of ${taskIds.length} tasks`;
  return [
    { name: 'CPU of idle readers', value: Math.max(0, beside.percent - without.percent), unit: '%', note },
    { name: 'memory of an idle reader', value: ((beside.memoryMb - without.memoryMb) * 1024) / idleReaders, unit: 'KB', note },
  ];
}

export const readers: Measure = {
  name: 'readers',
  about: 'from sending a message to its event at thousands of readers of one task; what idle readers cost (Linux)',
  async take(bed) {
    const databaseUrl = await bed.createDatabase();
    // Without a worker the tasks only listen.
    await using service = await bed.startService({ role: 'api', databaseUrl });
    const { url, apiKey } = service;
    const count = bed.sizes.idleReaders;
    await runLoad({ url, apiKey, warmup: 0, count, requests: [createRequest('say done')] });
    const taskIds = (await listTasks(service, count)).map(({ id }) => id);
    const idle = await readIdly(bed, service, taskIds, databaseUrl);
    return [...(await readAtOnce(bed, service, await createTask(service, 'say done'))), ...idle];
  },
};
