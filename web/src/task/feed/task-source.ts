import { readStream } from '@errand/client/task-stream.ts';
import { connection } from '../../api/errand.ts';
import type { FeedSource } from './browser-ports.ts';
import type { HistoryPage } from './feed-ports.ts';

const timeoutMs = 30_000;

/** The events of one's own task, including tools and plans. */
export function taskSource(taskId: string): FeedSource {
  return {
    async readPage(cursor, limit, signal) {
      const input = { task_id: taskId, limit, verbose: true, ...(cursor !== null && { cursor }) };
      const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const response = await connection.open({ method: 'GET', path: '/v2/task.listMessages', input, signal: limited });
      return (await response.json()) as HistoryPage;
    },
    openStream({ lastEventId, signal, onReceived }) {
      const input = { task_id: taskId, verbose: true, deltas: true };
      return readStream(connection, { input, lastEventId: lastEventId ?? undefined, signal, onReceived });
    },
  };
}
