import { newId } from '@errand/base/ids.ts';
import { createTeam } from '../../../src/store/accounts/teams.ts';
import type { OpenStore } from '../db/databases.ts';
import type { Owner } from '../http/api-under-test.ts';

/** A team of its owner and the others, without invitations. Returns its id. */
export async function makeTeam(store: OpenStore, owner: Owner, others: readonly Owner[]): Promise<string> {
  const now = Date.now();
  const teamId = newId(now);
  await store.database.run(createTeam, { teamId, name: 'Research', ownerId: owner.accountId, now, actor: 'operator' });
  for (const { accountId } of others) {
    await store.query(
      "INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, ?, 'member', ?)",
      ...[accountId, teamId, now],
    );
  }
  return teamId;
}
