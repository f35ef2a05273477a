import { getInstanceValue, setInstanceValue, nameInstance, noteAddresses } from './instance-values.ts';
import { readQueueState } from './queue-state.ts';
import { deleteExpiredRates, leaseRate, returnRate } from './rate-limit-leases.ts';
import { addSigningKey, readSigningKeys } from './signing-keys.ts';

/** The operations on instance that the database thread knows. */
export const instanceOperations = [
  setInstanceValue,
  nameInstance,
  noteAddresses,
  addSigningKey,
  readSigningKeys,
  leaseRate,
  returnRate,
  deleteExpiredRates,
  readQueueState,
  getInstanceValue,
];
