import type { Operation } from '../contract/operation.ts';
import { scheduleCreate } from './schedule.create.ts';
import { scheduleDelete } from './schedule.delete.ts';
import { scheduleDetail } from './schedule.detail.ts';
import { scheduleList } from './schedule.list.ts';
import { schedulePreview } from './schedule.preview.ts';
import { scheduleRunNow } from './schedule.runNow.ts';
import { scheduleRuns } from './schedule.runs.ts';
import { scheduleStart } from './schedule.start.ts';
import { scheduleUpdate } from './schedule.update.ts';

export const scheduleOperations: readonly Operation[] = [
  scheduleCreate,
  scheduleList,
  scheduleDetail,
  scheduleUpdate,
  scheduleDelete,
  scheduleRunNow,
  scheduleRuns,
  schedulePreview,
  scheduleStart,
];
