import { confirmAction } from './confirmations.ts';
import { findMissingTasks } from './missing-tasks.ts';
import { findSharedTask, findTaskOfShare } from './shared-tasks.ts';
import { subtaskOperations } from './subtasks.ts';
import { claimTasks, findStarvedAccount } from './task-claims.ts';
import { appendEvents, expireAllLeases, readLease, releaseLeases, renewLeases } from './task-leases.ts';
import { listTasks } from './task-list.ts';
import { readTaskRelations } from './task-relations.ts';
import { searchTasks } from './task-search.ts';
import { updateTask } from './task-update.ts';
import { createTask, deleteTask, getReadableTask, getTask, messageTask, stopTask } from './tasks.ts';
import { findWorkspaceSave, recordWorkspaceSave } from './workspace-saves.ts';

/** The operations on tasks that the database thread knows. */
export const taskOperations = [
  claimTasks,
  findStarvedAccount,
  appendEvents,
  expireAllLeases,
  readLease,
  releaseLeases,
  renewLeases,
  findMissingTasks,
  ...subtaskOperations,
  listTasks,
  searchTasks,
  readTaskRelations,
  createTask,
  deleteTask,
  getTask,
  getReadableTask,
  findSharedTask,
  findTaskOfShare,
  messageTask,
  stopTask,
  updateTask,
  findWorkspaceSave,
  recordWorkspaceSave,
  confirmAction,
];
