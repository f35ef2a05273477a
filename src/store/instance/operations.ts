import { findFact, keepFact, nameInstance, noteAddresses } from './instance-values.ts';
import { readQueueState } from './queue-state.ts';
import { forgetRates, leaseRate, returnRate } from './rate-limit-leases.ts';
import { addSigningKey, readSigningKeys } from './signing-keys.ts';

/** The operations on instance that the database thread knows. */
export const instanceOperations = [
  keepFact,
  nameInstance,
  noteAddresses,
  addSigningKey,
  readSigningKeys,
  leaseRate,
  returnRate,
  forgetRates,
  readQueueState,
  findFact,
];
