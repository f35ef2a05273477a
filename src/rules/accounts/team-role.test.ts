import { describe, expect, it } from 'vitest';
import { checkMayChangeRole, checkMayManage, checkMayRemove, type TeamActor, teamRoles } from './team-role.ts';

const actors: TeamActor[] = [...teamRoles, 'operator', null];

function codeOf(check: () => void): string {
  try {
    check();
    return 'allowed';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a team', () => {
  it('is managed by its owner, its admins and the operator, and does not exist for anyone else', () => {
    expect(actors.map((actor) => codeOf(() => checkMayManage(actor)))).toEqual([
      'allowed',
      'allowed',
      'permission_denied',
      'allowed',
      'not_found',
    ]);
  });

  it('lets everyone but its owner leave', () => {
    expect(codeOf(() => checkMayRemove('member', 'member', true))).toBe('allowed');
    expect(codeOf(() => checkMayRemove('member', 'member', false))).toBe('permission_denied');
    expect(codeOf(() => checkMayRemove('admin', 'admin', false))).toBe('allowed');
    for (const actor of ['owner', 'admin', 'operator'] as const) {
      expect(codeOf(() => checkMayRemove(actor, 'owner', actor === 'owner'))).toBe('failed_precondition');
      expect(codeOf(() => checkMayChangeRole(actor, 'owner'))).toBe('failed_precondition');
      expect(codeOf(() => checkMayChangeRole(actor, 'member'))).toBe('allowed');
    }
    expect(codeOf(() => checkMayChangeRole('member', 'member'))).toBe('permission_denied');
  });
});
