import { Fault } from '../base/fault.ts';

export const plans = ['free', 'pro', 'team'] as const;
export type Plan = (typeof plans)[number];

/** On whose behalf a request runs, and how it proved that. */
export interface Principal {
  accountId: string;
  plan: Plan;
  /** The account's language, the default for what its tasks write. */
  locale: string;
  via:
    | { kind: 'api_key'; keyId: string }
    /** Whoever runs this instance, acting for the account. Only the control face makes such a principal. */
    | { kind: 'operator' };
}

export type CallerKind = Principal['via']['kind'];

/** Who may call an operation. An operation without one of these rules cannot be written. */
export const accessRules = {
  account: ['api_key', 'operator'],
  operator: ['operator'],
} as const satisfies Record<string, readonly CallerKind[]>;

export type Access = keyof typeof accessRules;

/** Throws 403 `permission_denied` unless the rule names this kind of caller. */
export function checkAccess(principal: Principal, access: Access): void {
  const callers: readonly CallerKind[] = accessRules[access];
  if (!callers.includes(principal.via.kind)) {
    throw new Fault('permission_denied', 'This credential may not call this operation.');
  }
}
