import { findTasks } from './find-tasks.ts';
import { claimTasksToIndex, hasTasksToIndex, readIndexedTask, readSaid } from './search-queue.ts';
import { saveSearched } from './searched-tasks.ts';

/** Every operation on the index of words. */
export const searchOperations = [claimTasksToIndex, findTasks, hasTasksToIndex, readIndexedTask, readSaid, saveSearched];
