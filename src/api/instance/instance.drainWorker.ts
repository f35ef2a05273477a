import { z } from 'zod';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { changeDraining, workerObject } from './worker-object.ts';

export const instanceDrainWorker = defineOperation('POST', 'instance.drainWorker', {
  summary: 'Lets a worker take no more tasks and hand over those it holds, each after its current step.',
  details:
    'Other workers continue the tasks; without others the tasks wait. The drained worker stays idle, still sends webhooks and starts schedules if it did before, and takes tasks again after instance.undrainWorker or a restart. Draining it again changes nothing.',
  access: 'instance',
  request: z.object({ worker_id: requiredText('Identifier of the worker, from instance.listWorkers.') }),
  response: z.object({ worker: workerObject }),
  handle: ({ worker_id }, context) => changeDraining(worker_id, true, context),
});
