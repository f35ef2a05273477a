import { listAccountQueues } from './account-queues.ts';
import { getInstanceValue, setInstanceValue, nameInstance, noteAddresses, proveWrite } from './instance-values.ts';
import { listModelOutages } from './model-outages.ts';
import { readQueueState } from './queue-state.ts';
import { mendQueueTimes } from './queue-times.ts';
import { deleteExpiredRates, leaseRate, returnRate } from './rate-limit-leases.ts';
import { addSigningKey, readSigningKeys } from './signing-keys.ts';
import { createInstanceKey, findInstanceKey, listInstanceKeys, revokeInstanceKey, touchInstanceKeys } from './instance-keys.ts';
import { listModelSettings, removeModelSettings, saveModelSettings } from './model-settings.ts';
import {
  countAccountTasks,
  createManagedAccount,
  findManagedAccount,
  findTasksOfDisabled,
  listManagedAccounts,
  updateManagedAccount,
} from './managed-accounts.ts';
import { listSealed, replaceSealed } from './sealed-values.ts';
import { drainWorker } from './worker-drains.ts';

/** Every operation on the instance: its values, keys, models, accounts, workers, rates and queues. */
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
  createInstanceKey,
  listInstanceKeys,
  revokeInstanceKey,
  findInstanceKey,
  touchInstanceKeys,
  listModelSettings,
  saveModelSettings,
  removeModelSettings,
  createManagedAccount,
  listManagedAccounts,
  findManagedAccount,
  countAccountTasks,
  updateManagedAccount,
  findTasksOfDisabled,
  drainWorker,
  listSealed,
  replaceSealed,
];
