import { z } from 'zod';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { changeDraining, workerObject } from './worker-object.ts';

export const instanceUndrainWorker = defineOperation('POST', 'instance.undrainWorker', {
  summary: 'Lets a drained worker take tasks again.',
  access: 'instance',
  request: z.object({ worker_id: requiredText('Identifier of the worker, from instance.listWorkers.') }),
  response: z.object({ worker: workerObject }),
  handle: ({ worker_id }, context) => changeDraining(worker_id, false, context),
});
