import { atWeb, type Operation, prefixOf } from './contract/operation.ts';
import { accountOperations } from './accounts/operations.ts';
import { agentOperations } from './agents/operations.ts';
import { artifactOperations } from './artifacts/operations.ts';
import { brandOperations } from './brands/operations.ts';
import { bridgeOperations } from './bridges/operations.ts';
import { budgetOperations } from './budgets/operations.ts';
import { connectorOperations } from './connectors/operations.ts';
import { creditOperations } from './credits/operations.ts';
import { fileOperations } from './files/operations.ts';
import { instanceOperations } from './instance/operations.ts';
import { inboxOperations } from './inbox/operations.ts';
import { limitOperations } from './limits/operations.ts';
import { memoryOperations } from './memory/operations.ts';
import { notificationOperations } from './notifications/operations.ts';
import { oauthOperations } from './oauth/operations.ts';
import { policyOperations } from './policies/operations.ts';
import { projectOperations } from './projects/operations.ts';
import { scheduleOperations } from './schedules/operations.ts';
import { requestOperations } from './requests/operations.ts';
import { recipeOperations } from './recipes/operations.ts';
import { skillOperations } from './skills/operations.ts';
import { taskOperations } from './tasks/operations.ts';
import { triggerOperations } from './triggers/operations.ts';
import { webhookOperations } from './webhooks/operations.ts';
import { websiteOperations } from './websites/operations.ts';

const rows: readonly Operation[] = [
  ...taskOperations,
  ...projectOperations,
  ...agentOperations,
  ...connectorOperations,
  ...skillOperations,
  ...fileOperations,
  ...artifactOperations,
  ...websiteOperations,
  ...webhookOperations,
  ...requestOperations,
  ...triggerOperations,
  ...recipeOperations,
  ...creditOperations,
  ...budgetOperations,
  ...limitOperations,
  ...accountOperations,
  ...inboxOperations,
  ...notificationOperations,
  ...policyOperations,
  ...brandOperations,
  ...memoryOperations,
  ...oauthOperations,
  ...bridgeOperations,
  ...instanceOperations,
  ...scheduleOperations,
];

/** The API. Router, OpenAPI document and reference come out of this table. */
export const operations = rows.filter(({ access }) => prefixOf(access) === '/v2');

/** What is offered on the control socket beside the API. */
export const adminOperations = rows.filter(({ access }) => prefixOf(access) === '/admin');

/** What the web application calls beside the API, with the sign-in of its user. */
export const webOperations = rows.flatMap((operation) => {
  if (prefixOf(operation.access) === '/web') return operation;
  return operation.access === 'own' ? atWeb(operation) : [];
});
