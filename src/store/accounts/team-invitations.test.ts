import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { addAccount } from '../../../test/support/oauth/oauth-samples.ts';
import { findInvitation, listInvitations, withdrawInvitation } from './team-invitations.ts';
import { inviteMember } from './team-membership.ts';
import { createTeam } from './teams.ts';

describeStores('an invitation', (store) => {
  it('is visible to those who may invite and to the invited person, until it is withdrawn', async () => {
    const [ownerId, invited, stranger] = [
      await addAccount(store.database),
      await addAccount(store.database),
      await addAccount(store.database),
    ];
    const [teamId, now] = [newId(nextMs()), nextMs()];
    const email = `${invited.toLowerCase()}@example.org`;
    await store.database.run(createTeam, { teamId, name: 'Research', ownerId, now, actor: 'test' });
    const invitation = { email, role: 'admin' as const, digest: 'd1' };
    await store.database.run(inviteMember, { teamId, actorId: ownerId, actor: 'test', now, ...invitation });
    const list = (actorId: string | null, at = now) => store.database.run(listInvitations, { teamId, actorId, now: at });
    expect(await list(ownerId)).toMatchObject([{ email, role: 'admin', createdAtMs: now }]);
    const [open] = await list(null);
    const expiresAtMs = open?.expiresAtMs ?? 0;
    expect(await list(ownerId, expiresAtMs)).toEqual([]);
    await expect(list(stranger)).rejects.toThrow();
    const find = (accountId: string) => store.database.run(findInvitation, { digest: 'd1', accountId, now });
    expect(await find(invited)).toEqual({ teamId, team: 'Research', role: 'admin', expiresAtMs });
    expect(await find(stranger)).toBeNull();
    await store.database.run(withdrawInvitation, { teamId, actorId: ownerId, email });
    expect(await find(invited)).toBeNull();
    const again = store.database.run(withdrawInvitation, { teamId, actorId: ownerId, email });
    await expect(again).rejects.toMatchObject({ code: 'not_found' });
  });
});
