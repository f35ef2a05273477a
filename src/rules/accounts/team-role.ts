import { Fault } from '@errand/base/fault.ts';

export const teamRoles = ['owner', 'admin', 'member'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** The roles that a member can be given. */
export const grantedRoles = ['admin', 'member'] as const satisfies readonly TeamRole[];
export type GrantedRole = (typeof grantedRoles)[number];

/**
 * The role of the user who changes a team: null for a non-member, `operator` for the operator of the instance.
 * To a stranger the team does not exist.
 */
export type TeamActor = TeamRole | 'operator' | null;

function checkKnown(actor: TeamActor): void {
  if (actor === null) throw new Fault('not_found', 'team not found');
}

/** Owners and admins invite people and choose their roles. */
export function checkMayManage(actor: TeamActor): void {
  checkKnown(actor);
  if (actor === 'member') throw new Fault('permission_denied', 'Only the owner and the admins of a team may do this.');
}

/** Everyone but the owner may leave; nobody can remove the owner. */
export function checkMayRemove(actor: TeamActor, target: TeamRole, isSelf: boolean): void {
  if (!isSelf) checkMayManage(actor);
  if (target === 'owner') throw new Fault('failed_precondition', 'The owner of a team cannot leave it.');
}

export function checkMayChangeRole(actor: TeamActor, target: TeamRole): void {
  checkMayManage(actor);
  if (target === 'owner') throw new Fault('failed_precondition', 'The owner of a team keeps that role.');
}
