import { getInstanceValue, setInstanceValue, nameInstance, noteAddresses, proveWrite } from './instance-values.ts';
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
  mendQueueTimes,
  getInstanceValue,
];
