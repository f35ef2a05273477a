import type { Request } from '@errand/client';
import { clearing } from '../../api/errand.ts';
import type { ManagedAccount } from '../../api/instance-queries.ts';

/** Storage limits are entered in megabytes. */
const bytesPerMb = 1_000_000;

/** What the form of an account has been filled in with. */
export interface AccountDraft {
  plan: ManagedAccount['plan'];
  /** Empty for the limit of the instance. */
  maxMb: string;
  maxFiles: string;
  isOwner: boolean;
}

/** The form as it opens. */
export function draftOf({ plan, quotas, instance_owner: isOwner }: ManagedAccount): AccountDraft {
  const shown = (value: number | null) => (value === null ? '' : String(value));
  const { max_bytes: bytes, max_files: files } = quotas;
  return { plan, maxMb: shown(bytes === null ? null : bytes / bytesPerMb), maxFiles: shown(files), isOwner };
}

function limitOf(text: string, factor: number): number | null {
  return text.trim() === '' ? null : Math.round(Number(text) * factor);
}

/** The request that saves it. */
export function requestOf(account: ManagedAccount, draft: AccountDraft): Request<'instance.updateAccount'> {
  const { plan, maxMb, maxFiles, isOwner } = draft;
  return clearing<'instance.updateAccount'>({
    account_id: account.id,
    plan,
    quotas: { max_bytes: limitOf(maxMb, bytesPerMb), max_files: limitOf(maxFiles, 1) },
    ...(isOwner !== account.instance_owner && { instance_owner: isOwner }),
  });
}
