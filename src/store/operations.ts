import { createAccount, findAccount } from './accounts.ts';
import { createApiKey, findKeyOwner, listApiKeys, revokeApiKey, touchApiKeys } from './api-keys.ts';
import { claimTasks, findStarvedAccount } from './claims.ts';
import type { Operation } from './db/operation.ts';
import { readLog, readShown } from './events.ts';
import { createFirstAccount } from './first-account.ts';
import { forgetKeys } from './idempotency.ts';
import { nameInstance } from './instance.ts';
import { appendEvents, expireAllLeases, readLease, releaseLeases, renewLeases } from './leases.ts';
import { findMissingTasks } from './missing-tasks.ts';
import { listTasks } from './task-list.ts';
import { createTask, deleteTask, getTask, messageTask, stopTask, updateTask } from './tasks.ts';

const operations = [
  createAccount,
  createFirstAccount,
  findAccount,
  createApiKey,
  findKeyOwner,
  listApiKeys,
  revokeApiKey,
  touchApiKeys,
  claimTasks,
  findStarvedAccount,
  readLog,
  readShown,
  appendEvents,
  expireAllLeases,
  readLease,
  releaseLeases,
  renewLeases,
  forgetKeys,
  nameInstance,
  findMissingTasks,
  listTasks,
  createTask,
  deleteTask,
  getTask,
  messageTask,
  stopTask,
  updateTask,
];

/** Every operation by its name, which is how the database thread is asked for one. */
export const operationTable: ReadonlyMap<string, Operation<unknown, unknown>> = new Map(
  operations.map((operation) => [operation.name, operation as Operation<unknown, unknown>]),
);
