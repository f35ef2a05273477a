import { companionId, deriveUuid } from '@errand/base/ids.ts';

/** Accepted wherever an agent id is expected (docs/reference/api.md#shortcuts). */
export const defaultAgentShortcut = 'agent-default';

/** Accepted wherever a task id is expected. */
export const mainTaskShortcut = 'agent-default-main_task';

/** The name of an agent until the user names it. */
export const firstNickname = 'Errand';

/** The id of an account's default agent: a UUID that follows from the account's, so that nobody has to look it up. */
export function defaultAgentId(accountId: string): string {
  return deriveUuid(`default agent of ${accountId}`);
}

/** The id of the main task of an account's default agent, which follows from the account's too. */
export function mainTaskId(accountId: string): string {
  return companionId(accountId, 'main task of');
}
