import { z } from 'zod';
import { readQueueState } from '../../store/instance/queue-state.ts';
import { listWorkers } from '../../store/tasks/workers/workers.ts';
import { defineOperation } from '../contract/operation.ts';

const seconds = z.number().min(0);

const instanceHealth = z
  .object({
    workers: z.int().meta({ description: 'How many workers hold tasks.' }),
    running_tasks: z.int().meta({ description: 'Tasks that run or wait for a worker.' }),
    task_queue_age_seconds: seconds.meta({
      description:
        'How long the task that is due longest has waited for a worker. It grows while there are too few workers, or none.',
    }),
    delivery_queue_age_seconds: seconds.meta({
      description: 'How long the webhook delivery that is due longest has waited.',
    }),
  })
  .meta({ id: 'InstanceHealth' });

export const instanceHealthOperation = defineOperation('GET', 'instance.health', {
  summary: 'Returns how much the whole instance has to do, and whether it keeps up.',
  details: 'Without its database the service answers 503. Whether one process is alive, `/readyz` of that process says.',
  access: 'instance',
  request: z.object({}),
  response: z.object({ health: instanceHealth }),
  async handle(_, { read }) {
    const [{ runningTasks, taskAgeMs, deliveryAgeMs }, workers] = await Promise.all([
      read(readQueueState, null),
      read(listWorkers, null),
    ]);
    const ages = { task_queue_age_seconds: taskAgeMs / 1000, delivery_queue_age_seconds: deliveryAgeMs / 1000 };
    return { health: { workers: workers.filter(({ tasks }) => tasks > 0).length, running_tasks: runningTasks, ...ages } };
  },
});
