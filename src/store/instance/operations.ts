import { listAccountQueues } from './account-queues.ts';
import { getInstanceValue, setInstanceValue, nameInstance, noteAddresses, proveWrite } from './instance-values.ts';
import { listModelOutages } from './model-outages.ts';
import { readQueueState } from './queue-state.ts';
import { mendQueueTimes } from './queue-times.ts';
import { deleteExpiredRates, leaseRate, returnRate } from './rate-limit-leases.ts';
import { addSigningKey, readSigningKeys } from './signing-keys.ts';

/** Every operation on the instance: its values, keys, rates and queues. */
export const instanceOperations = [
  setInstanceValue,
  nameInstance,
  noteAddresses,
  proveWrite,
  addSigningKey,
  readSigningKeys,
  leaseRate,
  returnRate,
  deleteExpiredRates,
  readQueueState,
  listAccountQueues,
  listModelOutages,
  mendQueueTimes,
  getInstanceValue,
];
