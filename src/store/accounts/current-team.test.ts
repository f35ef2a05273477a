import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { createTasks, nextMs } from '../../../test/support/db/store-samples.ts';
import { addAccount } from '../../../test/support/oauth/oauth-samples.ts';
import { listTeamsOf, switchTeam } from './current-team.ts';
import { acceptInvitation, changeRole, inviteMember, removeMember } from './team-membership.ts';
import { createTeam, findTeamOf, listTeamMembers, listTeams, maxTeams } from './teams.ts';

describeStores('the current team of an account', (store) => {
  const change = (teamId: string, actorId: string | null = null) => ({ teamId, actorId, actor: 'test', now: nextMs() });

  async function addTeam(name: string, ownerId: string): Promise<string> {
    const [teamId, now] = [newId(nextMs()), nextMs()];
    return (await store.database.run(createTeam, { teamId, name, ownerId, now, actor: 'test' })).id;
  }

  async function join(teamId: string, accountId: string): Promise<void> {
    const invitation = { email: `${accountId.toLowerCase()}@example.org`, role: 'member' as const, digest: newId(nextMs()) };
    await store.database.run(inviteMember, { ...change(teamId), ...invitation });
    await store.database.run(acceptInvitation, { digest: invitation.digest, accountId, actor: 'test', now: nextMs() });
  }

  const enter = (accountId: string, teamId: string) => store.database.run(switchTeam, { accountId, teamId });
  const currentOf = async (accountId: string) => (await store.database.run(findTeamOf, accountId))?.id ?? null;
  const namesOf = async (accountId: string) =>
    (await store.database.run(listTeamsOf, accountId)).map(({ name, isCurrent }) => (isCurrent ? `${name}!` : name));
  const teamsOfTasks = async (accountId: string) =>
    (
      await store.query('SELECT team_id FROM tasks WHERE account_id = ? AND task_type = ? ORDER BY id', accountId, 'standard')
    ).map((row) => row.team_id);

  it('is the first that it creates or joins, whatever it joins later', async () => {
    const [ann, bob] = [await addAccount(store.database), await addAccount(store.database)];
    const one = await addTeam('One', ann);
    await join(one, bob);
    const two = await addTeam('Two', bob);
    expect([await namesOf(ann), await namesOf(bob)]).toEqual([['One!'], ['One!', 'Two']]);
    await join(two, ann);
    expect(await namesOf(ann)).toEqual(['One!', 'Two']);
    await expect(join(two, ann)).rejects.toMatchObject({ code: 'failed_precondition' });
    const members = await store.database.run(listTeamMembers, { teamId: two, actorId: ann });
    expect(members.map(({ accountId, role }) => [accountId, role])).toEqual([
      [bob, 'owner'],
      [ann, 'member'],
    ]);
    const counts = await store.database.run(listTeams, { afterId: '', limit: 100 });
    expect(counts.filter(({ id }) => [one, two].includes(id)).map(({ memberCount }) => memberCount)).toEqual([2, 2]);
  });

  it('is one of at most twenty', async () => {
    const ann = await addAccount(store.database);
    for (let index = 0; index < maxTeams; index += 1) await addTeam(`Team ${index}`, ann);
    await expect(addTeam('One more', ann)).rejects.toMatchObject({ code: 'resource_exhausted' });
    expect(await store.query("SELECT name FROM teams WHERE name = 'One more'")).toEqual([]);
  });

  it('keeps what was made in it when the account switches, and the previous release sees one team all the time', async () => {
    const ann = await addAccount(store.database);
    const [one, two] = [await addTeam('One', ann), await addTeam('Two', ann)];
    const known = () => store.query('SELECT team_id, role FROM team_members WHERE account_id = ?', ann);
    await createTasks(store.database, ann, 2);
    expect([await teamsOfTasks(ann), await known()]).toEqual([[null, null], [{ team_id: one, role: 'owner' }]]);
    await enter(ann, two);
    await createTasks(store.database, ann, 1);
    expect([await teamsOfTasks(ann), await known()]).toEqual([[one, one, null], [{ team_id: two, role: 'owner' }]]);
    await enter(ann, two);
    expect(await teamsOfTasks(ann)).toEqual([one, one, null]);
    await enter(ann, one);
    expect([await teamsOfTasks(ann), await namesOf(ann)]).toEqual([
      [one, one, two],
      ['One!', 'Two'],
    ]);
  });

  it('can be none after the account has left it, which changes nothing in the others', async () => {
    const [ann, bob] = [await addAccount(store.database), await addAccount(store.database)];
    const [one, two] = [await addTeam('One', ann), await addTeam('Two', ann)];
    await join(one, bob);
    await join(two, bob);
    await createTasks(store.database, bob, 1);
    await store.database.run(removeMember, { ...change(one, ann), accountId: bob });
    expect([await currentOf(bob), await namesOf(bob), await teamsOfTasks(bob)]).toEqual([null, ['Two'], [one]]);
    await createTasks(store.database, bob, 1);
    await enter(bob, two);
    expect([await currentOf(bob), await teamsOfTasks(bob)]).toEqual([two, [one, '']]);
    await expect(enter(bob, one)).rejects.toMatchObject({ code: 'not_found' });
    // Removal from a team that is not the current one leaves the current one.
    await join(one, bob);
    await store.database.run(removeMember, { ...change(one, bob), accountId: bob });
    expect(await namesOf(bob)).toEqual(['Two!']);
  });

  it('has no part in the role in another', async () => {
    const [ann, bob] = [await addAccount(store.database), await addAccount(store.database)];
    const one = await addTeam('One', bob);
    const two = await addTeam('Two', ann);
    await join(two, bob);
    await expect(store.database.run(changeRole, { ...change(two, bob), accountId: ann, role: 'member' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await store.database.run(changeRole, { ...change(two, ann), accountId: bob, role: 'admin' });
    const roles = (await store.database.run(listTeamsOf, bob)).map(({ id, role }) => [id, role]);
    expect(roles).toEqual([
      [one, 'owner'],
      [two, 'admin'],
    ]);
  });

  it('cannot be a team of others', async () => {
    const [ann, eve] = [await addAccount(store.database), await addAccount(store.database)];
    const one = await addTeam('One', ann);
    await addTeam('Other', eve);
    await expect(enter(eve, one)).rejects.toMatchObject({ code: 'not_found' });
    expect(await namesOf(eve)).toEqual(['Other!']);
  });
});
