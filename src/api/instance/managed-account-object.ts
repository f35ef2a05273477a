import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { plans, type Principal } from '../../rules/accounts/access.ts';
import { type AccountQuotas, accountStatuses } from '../../rules/accounts/account-status.ts';
import { leastWeight, mostWeight, usualWeight } from '../../rules/instance/fair-share.ts';
import { mostRunningTasks } from '../../rules/limits/running-limit.ts';
import { mostRetentionDays } from '../../rules/instance/retention-days.ts';
import { findManagedAccount, type ManagedAccount } from '../../store/instance/managed-accounts.ts';
import { optional, requiredText } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const aboutQuotas = [
  'How much the account may store, in bytes and files, how many of its tasks run at once,',
  'the weight of its share of the workers beside other accounts, and how many days its tasks are kept after their end.',
].join(' ');

/** An account as the operator sees it. */
export const managedAccountObject = z
  .object({
    id: z.string(),
    email: z.string(),
    plan: z.enum(plans),
    locale: z.string(),
    status: z.enum(accountStatuses).meta({ description: '`deleting` until everything of the account is gone.' }),
    quotas: z
      .object({
        max_bytes: z.int().nullable(),
        max_files: z.int().nullable(),
        max_running_tasks: z.int().nullable(),
        weight: z.int(),
        retention_days: z.int().nullable(),
      })
      .meta({ description: `${aboutQuotas} Null is the limit of the instance.` }),
    instance_owner: z.boolean().meta({ description: 'Whether its user, signed in with a browser, administers the instance.' }),
    created_at: unixTime,
  })
  .meta({ id: 'ManagedAccount' });

export function presentManaged(account: ManagedAccount): z.input<typeof managedAccountObject> {
  const { accountId, email, plan, locale, status, isInstanceOwner, createdAtMs } = account;
  const { maxBytes, maxFiles, maxRunningTasks, weight, retentionDays } = account;
  const stored = { max_bytes: maxBytes, max_files: maxFiles };
  const quotas = { ...stored, max_running_tasks: maxRunningTasks, weight, retention_days: retentionDays };
  const created_at = toUnixTime(createdAtMs);
  return { id: accountId, email, plan, locale, status, quotas, instance_owner: isInstanceOwner, created_at };
}

/** Whether the user of an account signs in with a second step. */
export const hasTwoStepField = z.boolean().meta({
  description: 'Whether its user signs in with a code of an authenticator app after the password.',
});

/** The account that a request is about. */
export const accountReference = requiredText('Id or e-mail address of the account.');

/** One limit: null for that of the instance. */
const quota = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullish();

/** What an account may use. */
export const quotasField = optional(
  z.object({
    max_bytes: quota,
    max_files: quota,
    max_running_tasks: z.int().min(1).max(mostRunningTasks).nullish(),
    weight: z.int().min(leastWeight).max(mostWeight).nullish(),
    retention_days: z.int().min(1).max(mostRetentionDays).nullish(),
  }),
).meta({ description: `${aboutQuotas} Null is the limit of the instance; the weight is then 1.` });

/** The quotas that a request names. */
export function readQuotas(input: z.output<typeof quotasField>): Partial<AccountQuotas> {
  const { max_bytes: maxBytes, max_files: maxFiles, max_running_tasks: maxRunningTasks, weight } = input ?? {};
  const retentionDays = input?.retention_days;
  return {
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxFiles !== undefined && { maxFiles }),
    ...(maxRunningTasks !== undefined && { maxRunningTasks }),
    ...(weight !== undefined && { weight: weight ?? usualWeight }),
    ...(retentionDays !== undefined && { retentionDays }),
  };
}

/** The account with this id or address. */
export async function readManaged(reference: string, { read }: Pick<Context, 'read'>): Promise<ManagedAccount> {
  const account = reference.includes('\0') ? null : await read(findManagedAccount, reference.toWellFormed());
  if (!account) throw new Fault('not_found', 'account not found');
  return account;
}

/** 412 for what would lock the caller, an owner who is signed in, out of the instance. */
export function refuseOwnAccount({ accountId, via }: Principal, target: string): void {
  if (via.kind !== 'session' || accountId !== target) return;
  throw new Fault('failed_precondition', 'You are signed in with this account; another owner or the command line can do this.');
}
