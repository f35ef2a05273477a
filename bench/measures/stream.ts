import { createTask, messageRequest } from '../service/service-calls.ts';
import { EventReader } from '../load/event-reader.ts';
import { Lane } from '../load/lane.ts';
import { encodeRequest } from '../load/load-job.ts';
import type { UsedService } from '../service/test-bed.ts';
import type { Measure } from './measure.ts';
import { pause } from '../process/pause.ts';
import { quantile } from '../report/statistics.ts';

const readers = 4;
const waitMs = 10;

/** Sends messages to one task and answers how long each took from there to a reader of the task's stream. */
async function sendToReader(writer: UsedService, reader: UsedService, count: number): Promise<number[]> {
  const taskId = await createTask(writer, 'say done');
  const stream = await EventReader.open(reader.url, reader.apiKey, taskId);
  const lane = await Lane.open(new URL(writer.url));
  const latencies: number[] = [];
  for (let at = 0; at < count; at++) {
    const mark = `mark-${at}-`;
    const arrived = stream.waitFor(mark);
    const sentMs = performance.now();
    const answered = lane.ask(encodeRequest(new URL(writer.url), writer.apiKey, messageRequest(taskId, mark)));
    await arrived;
    latencies.push(performance.now() - sentMs);
    await answered;
    await pause(waitMs);
  }
  stream.close();
  lane.close();
  return latencies;
}

export const stream: Measure = {
  name: 'stream',
  about: 'from sending a message to its event at a reader of the stream; on PostgreSQL through two processes',
  async take(bed) {
    const databaseUrl = await bed.createDatabase();
    // Without a worker the tasks only listen.
    await using reader = await bed.useService({ role: 'api', databaseUrl });
    await using other = databaseUrl === undefined ? null : await bed.useService({ role: 'api', databaseUrl });
    const count = Math.ceil(bed.sizes.streamed / readers);
    const latencies = await Promise.all(Array.from({ length: readers }, () => sendToReader(other ?? reader, reader, count)));
    const value = quantile(latencies.flat(), 0.5);
    return [
      { name: 'event to reader, p50', value, unit: 'ms' },
      { name: 'event to reader, p99', value: quantile(latencies.flat(), 0.99), unit: 'ms' },
    ];
  },
};
