import type { HttpService } from '../http/service/http-service.ts';
import { ScheduleWorker } from '../work/schedules/schedule-worker.ts';
import type { Stores } from './open-stores.ts';
import type { Runtime } from './runtime.ts';

interface StartBody {
  waits_for?: string | null;
  error?: { message?: string };
}

/** The worker that runs schedules. It starts tasks by an operation of the control server, as the operator would. */
export function buildScheduleWorker(
  { config, clock, log }: Runtime,
  { database }: Stores,
  http: Pick<HttpService, 'admitStart' | 'inject'>,
  workerId: string,
): ScheduleWorker {
  return new ScheduleWorker({
    ...{ database, workerId, clock, log, drainMs: config.drainMs },
    admit: ({ accountId }) => http.admitStart(accountId),
    async start({ accountId, scheduleId, dueAtMs }) {
      const request = { method: 'POST', path: '/admin/schedule.start', account: accountId } as const;
      const { status, body } = await http.inject({ ...request, body: { schedule_id: scheduleId, due_at_ms: dueAtMs } });
      const { waits_for: waitsFor = null, error } = body as StartBody;
      return { status, waitsFor, problem: error?.message ?? '' };
    },
  });
}
