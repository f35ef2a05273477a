import { Fault } from '@errand/base/fault.ts';
import { isOperator, type Principal } from '../../rules/accounts/access.ts';

/**
 * Throws 403 unless the caller may create an application with this trust: only the operator for everyone. For a team, the store asks for the
 * role in it (docs/reference/wire-format.md#applications).
 */
export function checkMayTrust(trusted: 'team' | 'public' | null, principal: Principal): void {
  if (trusted !== 'public' || isOperator(principal)) return;
  throw new Fault('permission_denied', 'trusted: only the operator can make an application trusted by everyone.');
}
