import { branchTask } from './branched-tasks.ts';
import { confirmAction } from './confirmations.ts';
import { deleteExpiredTask, listAccountsAfter, listExpiredTasks, takeRetentionTurn } from './expired-tasks.ts';
import { expireLeasesOf, listLeaseOwners } from './workers/ended-workers.ts';
import { expireAllLeases, failLease, leaveLeases, releaseLeases } from './lease-ends.ts';
import { openRowJob, saveRows } from './mapped-rows.ts';
import { findExistingTasks, findMissingTasks } from './missing-tasks.ts';
import { findPublicTask, findSharedTask, findTaskOfShare } from './shared-tasks.ts';
import { createSubtask, findSubtask, listSubtasks, suspendTask, wakeParent } from './subtasks.ts';
import { clearTask } from './clear-task.ts';
import { claimTasks, findStarvedAccount } from './claims/task-claims.ts';
import { appendEvents, readLease, renewLeases } from './task-leases.ts';
import { listTasks } from './task-list.ts';
import { readTaskRelations } from './task-relations.ts';
import { searchTasks } from './task-search.ts';
import { listInstanceTasks } from './instance-tasks.ts';
import { listPackedWorkspaces, listQuietTasks, recordPackedWorkspace, recordUnpackedWorkspace } from './packed-workspaces.ts';
import { appendPaid, beginPaidCall } from './paid-calls.ts';
import { resumeDue } from './reply-budgets.ts';
import { findWorker, keepWorker, listWorkers, removeAllWorkers, removeWorker } from './workers/workers.ts';
import { findWorkKey, handOverTask, listAssignedTasks } from './people/assignees.ts';
import { addComment, deleteComment, listComments, updateComment } from './people/comments.ts';
import { updateTask } from './task-update.ts';
import { createTask, deleteTask, getReadableTask, getTask, messageTask, stopTask } from './tasks.ts';
import { findClearedWorkspaces, findWorkspaceSave, listIdleWorkspaces, recordWorkspaceSave } from './workspace-saves.ts';

/** Every operation on tasks, their leases and subtasks. */
export const taskOperations = [
  claimTasks,
  clearTask,
  findClearedWorkspaces,
  findStarvedAccount,
  appendEvents,
  appendPaid,
  beginPaidCall,
  resumeDue,
  expireAllLeases,
  expireLeasesOf,
  listLeaseOwners,
  failLease,
  leaveLeases,
  readLease,
  releaseLeases,
  renewLeases,
  findMissingTasks,
  findExistingTasks,
  openRowJob,
  saveRows,
  findSubtask,
  listSubtasks,
  createSubtask,
  suspendTask,
  wakeParent,
  listTasks,
  searchTasks,
  readTaskRelations,
  createTask,
  branchTask,
  deleteTask,
  getTask,
  getReadableTask,
  findSharedTask,
  findTaskOfShare,
  findPublicTask,
  messageTask,
  stopTask,
  updateTask,
  findWorkKey,
  handOverTask,
  listAssignedTasks,
  addComment,
  updateComment,
  deleteComment,
  listComments,
  findWorkspaceSave,
  listIdleWorkspaces,
  recordWorkspaceSave,
  listQuietTasks,
  listPackedWorkspaces,
  recordPackedWorkspace,
  recordUnpackedWorkspace,
  confirmAction,
  listInstanceTasks,
  findWorker,
  keepWorker,
  listWorkers,
  removeAllWorkers,
  removeWorker,
  deleteExpiredTask,
  listAccountsAfter,
  listExpiredTasks,
  takeRetentionTurn,
];
