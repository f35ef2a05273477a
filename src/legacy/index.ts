import { availableCredits } from './legacy-available-credits.ts';
import { legacyFileOperations } from './legacy-files.ts';
import type { LegacyOperation } from './legacy-operation.ts';
import { projectCreateLegacy, projectListLegacy } from './legacy-projects.ts';
import { responseOperations } from './responses.ts';
import { taskCreateLegacy } from './legacy-task-create.ts';
import { taskDeleteLegacy } from './legacy-task-delete.ts';
import { taskGetLegacy } from './legacy-task-get.ts';
import { taskListLegacy } from './legacy-task-list.ts';
import { taskUpdateLegacy } from './legacy-task-update.ts';
import { legacyWebhookOperations } from './legacy-webhooks.ts';

/** The first version of the API (docs/reference/api.md#v1). Its router is built from this table. */
export const legacyOperations: readonly LegacyOperation[] = [
  taskCreateLegacy,
  taskListLegacy,
  taskGetLegacy,
  taskUpdateLegacy,
  taskDeleteLegacy,
  ...legacyFileOperations,
  projectCreateLegacy,
  projectListLegacy,
  ...legacyWebhookOperations,
  ...responseOperations,
  availableCredits,
];
