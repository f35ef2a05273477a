import type { ServiceProcess } from '../../test/support/service/supervisor.ts';
import { call, createRequest, listTasks, stopRequest, waitUntilIdle } from '../service/service-calls.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measure } from './measure.ts';
import { pause } from '../process/pause.ts';
import { startProgram } from '../process/program.ts';
import { quantile } from '../report/statistics.ts';

const pollMs = 100;

interface Arrival {
  type: string;
  taskId: string;
  at: number;
}

/** When the end of each task was told, once all were. */
async function waitForEnds(sinkUrl: string, taskIds: readonly string[]): Promise<Map<string, number>> {
  const wanted = new Set(taskIds);
  for (;;) {
    const arrivals = (await (await fetch(sinkUrl)).json()) as Arrival[];
    const ends = arrivals.filter(({ type, taskId }) => type === 'task_stopped' && wanted.has(taskId));
    const byTask = new Map(ends.map(({ taskId, at }) => [taskId, at]));
    if (byTask.size === wanted.size) return byTask;
    await pause(pollMs);
  }
}

/** Milliseconds from sending task.stop to the receiver having the event, one after another. */
async function stopEach(service: ServiceProcess, sinkUrl: string, taskIds: readonly string[]): Promise<number[]> {
  const sentAt = new Map<string, number>();
  for (const taskId of taskIds) {
    sentAt.set(taskId, Date.now());
    await call(service, stopRequest(taskId));
    await waitForEnds(sinkUrl, [taskId]);
  }
  const ends = await waitForEnds(sinkUrl, taskIds);
  return taskIds.map((taskId) => (ends.get(taskId) ?? Number.NaN) - (sentAt.get(taskId) ?? 0));
}

/** Events a second that reach the receiver while many tasks stop at once. */
async function stopAll({ url, apiKey }: ServiceProcess, sinkUrl: string, taskIds: readonly string[]): Promise<number> {
  const { startedAt } = await runLoad({ url, apiKey, warmup: 0, count: taskIds.length, requests: taskIds.map(stopRequest) });
  const ends = await waitForEnds(sinkUrl, taskIds);
  return (taskIds.length / (Math.max(...ends.values()) - startedAt)) * 1000;
}

export const deliver: Measure = {
  name: 'deliver',
  about: 'webhooks: from task.stop to the receiver, and how many a second when many tasks stop at once',
  async take(bed) {
    const { delivered, stops } = bed.sizes;
    const sink = await startProgram('load/webhook-sink.ts');
    try {
      const { text } = await sink.waitForLine(({ source }) => source === 'stdout');
      const sinkUrl = `http://127.0.0.1:${(JSON.parse(text) as { port: number }).port}/`;
      const env = { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true' };
      await using service = await bed.startService({ env });
      const { url, apiKey } = service;
      const count = delivered + stops;
      await runLoad({ url, apiKey, warmup: 0, count, requests: [createRequest('ask Which one?', true)] });
      await waitUntilIdle(service, count);
      const taskIds = (await listTasks(service, count)).map(({ id }) => id);
      const body = JSON.stringify({ url: sinkUrl });
      await call(service, { method: 'POST', path: '/v2/webhook.create', body });
      const latencies = await stopEach(service, sinkUrl, taskIds.slice(0, stops));
      const perSecond = await stopAll(service, sinkUrl, taskIds.slice(stops));
      return [
        { name: 'stop to receiver, p50', value: quantile(latencies, 0.5), unit: 'ms', note: `${stops} stops` },
        { name: 'webhook deliveries', value: perSecond, unit: '/s', note: `${delivered} tasks stopped at once, one receiver` },
      ];
    } finally {
      sink.signal('SIGKILL');
      await sink.ended;
    }
  },
};
