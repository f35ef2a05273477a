import { type ModelServer, startModelServer } from '../../test/support/models/model-server.ts';
import type { ServiceProcess } from '../../test/support/service/supervisor.ts';
import { createTask, stopRequest } from '../service/service-calls.ts';
import { Lane } from '../load/lane.ts';
import { encodeRequest } from '../load/load-job.ts';
import type { Measure } from './measure.ts';
import { pause } from '../process/pause.ts';
import { quantile } from '../report/statistics.ts';
import { modelSettings } from './end-to-end.ts';

/** Stopped side by side. */
const atOnce = 8;
const tokenMs = 20;
/** Stops come at any moment of the first tokens. */
const spreadMs = 200;

/** Milliseconds from sending task.stop to the model server seeing its connection closed in the middle of a reply. */
async function stopOne(service: ServiceProcess, server: ModelServer, mark: string): Promise<number> {
  const taskId = await createTask(service, mark);
  await server.waitFor({ state: 'started', match: mark });
  await pause(Math.random() * spreadMs);
  const url = new URL(service.url);
  const lane = await Lane.open(url);
  const sentAt = Date.now();
  const status = await lane.ask(encodeRequest(url, service.apiKey, stopRequest(taskId)));
  const [call] = await server.waitFor({ state: 'closed', match: mark });
  lane.close();
  if (status !== 200 || call?.outcome !== 'aborted') throw new Error(`task.stop: ${status}, the call was ${call?.outcome}`);
  return (call.closedAtMs ?? Number.NaN) - sentAt;
}

async function stopMany(service: ServiceProcess, server: ModelServer, count: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let done = 0; done < count; done += atOnce) {
    await server.reset();
    await server.script([{ steps: [{ text: Array.from({ length: 1000 }, () => 'word '), frameDelayMs: tokenMs }] }]);
    const marks = Array.from({ length: Math.min(atOnce, count - done) }, (_, at) => `stop-${at}-`);
    latencies.push(...(await Promise.all(marks.map((mark) => stopOne(service, server, mark)))));
  }
  return latencies;
}

export const stop: Measure = {
  name: 'stop',
  about: "from sending task.stop to the closing of the model's socket; on PostgreSQL the worker is another process",
  async take(bed) {
    const server = await startModelServer();
    try {
      const env = modelSettings(server.openaiUrl);
      const databaseUrl = await bed.createDatabase();
      const isApart = databaseUrl !== undefined;
      await using service = await bed.startService({ env, role: isApart ? 'api' : 'all', databaseUrl });
      await using worker = isApart ? await bed.startService({ env, role: 'worker', databaseUrl }) : null;
      const latencies = await stopMany(service, server, bed.sizes.stops);
      const note = `${latencies.length} stops${worker ? ', API and worker apart' : ''}`;
      return [
        { name: 'stop to model socket, p50', value: quantile(latencies, 0.5), unit: 'ms', note },
        { name: 'stop to model socket, p99', value: quantile(latencies, 0.99), unit: 'ms', note },
      ];
    } finally {
      await server.stop();
    }
  },
};
