import { newUuid } from '@errand/base/ids.ts';
import type { Database } from '../../src/store/db/database.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

/** Where the event stands that shows the action: behind the two that a new task begins with. */
export const preparedSeq = 3;

/** The agent of a new task wants to use a connector that no application was granted, and asks first. */
export async function waitForConnector(database: Database, taskId: string, words: string): Promise<void> {
  const hand = await WorkerHand.take(database, taskId);
  const shown = { tool: 'mcp_send', params: {}, brief: words, action: words, param: '' };
  const action = { kind: 'connectorAction', schema: {}, connectorId: newUuid() };
  await hand.log({ type: 'action_prepared', callId: 'c1', ...shown }, { type: 'waiting', callId: 'c1', question: words, action });
}
