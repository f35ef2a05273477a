import type { StoreOperation } from './db/store-operation.ts';
import { accountArchiveOperations } from './account-archive/operations.ts';
import { accountOperations } from './accounts/operations.ts';
import { agentOperations } from './agents/operations.ts';
import { artifactOperations } from './artifacts/operations.ts';
import { blobOperations } from './blobs/operations.ts';
import { brandOperations } from './brands/operations.ts';
import { bridgeOperations } from './bridges/operations.ts';
import { connectorOperations } from './connectors/operations.ts';
import { creditOperations } from './credits/operations.ts';
import { dbOperations } from './db/operations.ts';
import { eventOperations } from './events/operations.ts';
import { fileOperations } from './files/operations.ts';
import { inboxOperations } from './inbox/operations.ts';
import { instanceOperations } from './instance/operations.ts';
import { limitOperations } from './limits/running-limits.ts';
import { memoryOperations } from './memory/operations.ts';
import { notificationOperations } from './notifications/operations.ts';
import { oauthOperations } from './oauth/operations.ts';
import { policyOperations } from './policies/operations.ts';
import { projectOperations } from './projects/operations.ts';
import { scheduleOperations } from './schedules/operations.ts';
import { requestOperations } from './requests/operations.ts';
import { recipeOperations } from './recipes/operations.ts';
import { skillOperations } from './skills/operations.ts';
import { searchOperations } from './search/operations.ts';
import { tracingOperations } from './tracing/operations.ts';
import { taskOperations } from './tasks/operations.ts';
import { triggerOperations } from './triggers/operations.ts';
import { webhookOperations } from './webhooks/operations.ts';
import { websiteOperations } from './websites/operations.ts';

/** All operations of the store, as listed by each subject. */
const operations = [
  ...accountArchiveOperations,
  ...accountOperations,
  ...agentOperations,
  ...artifactOperations,
  ...blobOperations,
  ...brandOperations,
  ...bridgeOperations,
  ...connectorOperations,
  ...creditOperations,
  ...dbOperations,
  ...eventOperations,
  ...fileOperations,
  ...inboxOperations,
  ...instanceOperations,
  ...limitOperations,
  ...memoryOperations,
  ...notificationOperations,
  ...oauthOperations,
  ...policyOperations,
  ...projectOperations,
  ...scheduleOperations,
  ...recipeOperations,
  ...requestOperations,
  ...skillOperations,
  ...taskOperations,
  ...searchOperations,
  ...tracingOperations,
  ...triggerOperations,
  ...webhookOperations,
  ...websiteOperations,
];

/** Operations by name. Throws on duplicates, because a caller would get the wrong one. */
export function tabulateOperations(listed: readonly { name: string }[]): ReadonlyMap<string, StoreOperation<unknown, unknown>> {
  const table = new Map<string, StoreOperation<unknown, unknown>>();
  for (const operation of listed) {
    if (table.has(operation.name)) throw new Error(`Two store operations are named ${operation.name}.`);
    table.set(operation.name, operation as StoreOperation<unknown, unknown>);
  }
  return table;
}

/** All operations by name, as requested from the database thread. */
export const operationTable = tabulateOperations(operations);
