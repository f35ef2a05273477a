import { Fault } from '@errand/base/fault.ts';

/** `disabled`: refused until it is enabled again. `deleting`: what it has is being removed. */
export const accountStatuses = ['active', 'disabled', 'deleting'] as const;
export type AccountStatus = (typeof accountStatuses)[number];

/** The words for people whose account is disabled. */
const disabledText = 'This account is disabled; the operator of this service can enable it again.';

/** Returns what was found for a credential. Throws 403 if its account is disabled; one of an account that is being deleted is unknown. */
export function refuseAtRest<Owner extends { status: AccountStatus }>(owner: Owner | null): Owner | null {
  if (owner?.status === 'disabled') throw new Fault('permission_denied', disabledText);
  return owner?.status === 'active' ? owner : null;
}

/** What an account may store, in place of the limits of the instance; null: those of the instance. */
export interface StorageQuotas {
  maxBytes: number | null;
  maxFiles: number | null;
}

/** The limits of an account: storage, and its share of the workers. */
export interface AccountQuotas extends StorageQuotas {
  /** How many of its tasks run at once; null for the limit of the instance. */
  maxRunningTasks: number | null;
  /** The account's share of the workers, relative to other accounts. */
  weight: number;
  /** Days after their end that its tasks are deleted; null for those of the instance. */
  retentionDays: number | null;
}

/** The limits of an account for which the operator has set none. */
export const usualQuotas: AccountQuotas = {
  maxBytes: null,
  maxFiles: null,
  maxRunningTasks: null,
  weight: 1,
  retentionDays: null,
};
