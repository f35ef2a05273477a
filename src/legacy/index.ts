import { availableCredits } from './available-credits.ts';
import { legacyFileOperations } from './files.ts';
import type { LegacyOperation } from './operation.ts';
import { projectCreateLegacy, projectListLegacy } from './projects.ts';
import { responseOperations } from './responses.ts';
import { taskCreateLegacy } from './task-create.ts';
import { taskDeleteLegacy } from './task-delete.ts';
import { taskGetLegacy } from './task-get.ts';
import { taskListLegacy } from './task-list.ts';
import { taskUpdateLegacy } from './task-update.ts';
import { webhookCreate } from './webhook-create.ts';
import { webhookDelete } from './webhook-delete.ts';
import { webhookPublicKey } from './webhook-public-key.ts';

/** The first version of the API (specification, "Legacy v1 operations"). Its router comes out of this table. */
export const legacyOperations: readonly LegacyOperation[] = [
  taskCreateLegacy,
  taskListLegacy,
  taskGetLegacy,
  taskUpdateLegacy,
  taskDeleteLegacy,
  ...legacyFileOperations,
  projectCreateLegacy,
  projectListLegacy,
  webhookCreate,
  webhookDelete,
  webhookPublicKey,
  ...responseOperations,
  availableCredits,
];
