import { claimRuns, expireRunLeases } from './due-schedules.ts';
import { listRuns } from './run-history.ts';
import { continueRun, postponeRun, refuseRun, startRun } from './run-starts.ts';
import { createSchedule, deleteSchedule, getSchedule, listSchedules, updateSchedule } from './schedules.ts';

/** Every operation on schedules and their runs. */
export const scheduleOperations = [
  claimRuns,
  expireRunLeases,
  listRuns,
  continueRun,
  postponeRun,
  refuseRun,
  startRun,
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  updateSchedule,
];
