import { companionId, deriveUuid } from '@errand/base/ids.ts';

/** Accepted wherever an agent id is expected (docs/reference/api.md#shortcuts). */
export const defaultAgentShortcut = 'agent-default';

/** Accepted wherever a task id is expected. */
export const mainTaskShortcut = 'agent-default-main_task';

/** The name of an agent until the user names it. */
export const firstNickname = 'Errand';

/** The id of an account's default agent: a UUID derived from the account's, so no lookup is needed. */
export function defaultAgentId(accountId: string): string {
  return deriveUuid(`default agent of ${accountId}`);
}

/** The id of the main task of an account's default agent, also derived from the account's. */
export function mainTaskId(accountId: string): string {
  return companionId(accountId, 'main task of');
}
