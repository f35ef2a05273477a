import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import type { RecordedRequest } from '../../store/requests/kept-requests.ts';
import type { SeenRequest } from './kept-part.ts';
import { RequestRecorder } from './request-recorder.ts';

function seen(body: string): SeenRequest {
  const answered = { status: 400, durationMs: 3, errorCode: null, errorParam: null, taskId: null };
  const sent = {
    accountId: 'a',
    id: newId(0),
    atMs: 0,
    method: 'POST',
    path: '/v2/task.stop',
    query: '',
    credential: 'api_key k',
  };
  return { ...answered, ...sent, body: Buffer.from(body), isRepeatable: true, isForOneUser: false };
}

it('records every request of a second, whatever is in their bodies', async () => {
  const written: RecordedRequest[] = [];
  const run = (_: unknown, { requests }: { requests: readonly RecordedRequest[] }) => Promise.resolve(written.push(...requests));
  const recorder = new RequestRecorder({ database: { run } as never, clock: new TestClock(), log: silentLog });
  const taskId = newId(0);
  for (const body of ['null', '7', '[]', '{"task_id":"\\u0000"}', '{"task_id":7}', `{"task_id":"${taskId}"}`])
    recorder.note(seen(body));
  await recorder.flush();
  expect(written.map((one) => one.taskId)).toEqual([null, null, null, null, null, taskId]);
});
