import { z } from 'zod';
import { listModelOutages } from '../../store/instance/model-outages.ts';
import { readQueueState } from '../../store/instance/queue-state.ts';
import { listWorkers } from '../../store/tasks/workers/workers.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const seconds = z.number().min(0);

const modelOutage = z
  .object({
    model: z.string(),
    tasks: z.int().meta({ description: 'How many tasks wait for the model.' }),
    since: unixTime,
  })
  .meta({ id: 'ModelOutage' });

const instanceHealth = z
  .object({
    workers: z
      .int()
      .meta({ description: 'How many workers run, also those that hold no task; instance.listWorkers says what each does.' }),
    running_tasks: z.int().meta({ description: 'Tasks that run or wait for a worker.' }),
    task_queue_age_seconds: seconds.meta({
      description:
        'How long the task that is due longest has waited for a worker. It grows while there are too few workers, or none.',
    }),
    delivery_queue_age_seconds: seconds.meta({
      description: 'How long the webhook delivery that is due longest has waited.',
    }),
    database_ms: seconds.meta({ description: 'How long the database took to answer this request, in milliseconds.' }),
    model_outages: z.array(modelOutage).meta({ description: 'Models that tasks wait for, the longest outage first.' }),
  })
  .meta({ id: 'InstanceHealth' });

export const instanceHealthOperation = defineOperation('GET', 'instance.health', {
  summary: 'Returns how much the whole instance has to do, and whether it keeps up.',
  details: 'Without its database the service answers 503. Whether one process is alive, `/readyz` of that process says.',
  access: 'instance',
  request: z.object({}),
  response: z.object({ health: instanceHealth }),
  async handle(_, { read, intake: { clock } }) {
    const startMs = clock.monotonic();
    const [{ runningTasks, taskAgeMs, deliveryAgeMs }, workers, outages] = await Promise.all([
      read(readQueueState, null),
      read(listWorkers, null),
      read(listModelOutages, null),
    ]);
    const database_ms = Math.max(0, clock.monotonic() - startMs);
    const model_outages = outages.map(({ model, tasks, sinceMs }) => ({ model, tasks, since: toUnixTime(sinceMs) }));
    const ages = { task_queue_age_seconds: taskAgeMs / 1000, delivery_queue_age_seconds: deliveryAgeMs / 1000 };
    return { health: { workers: workers.length, running_tasks: runningTasks, ...ages, database_ms, model_outages } };
  },
});
