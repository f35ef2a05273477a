import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { createTasks, nextMs, sampleSchedule, sampleTask } from '../../../test/support/db/store-samples.ts';
import { addAccount } from '../../../test/support/oauth/oauth-samples.ts';
import type { Database } from '../db/database.ts';
import { createSchedule } from '../schedules/schedules.ts';
import { createTask } from '../tasks/tasks.ts';
import { listTeamsOf, listUnnamedTasks, nameTasks, switchTeam } from './current-team.ts';
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

  const enter = (accountId: string, teamId: string) =>
    store.database.run(switchTeam, { accountId, teamId, actor: 'test', now: nextMs() });
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

  /** Runs work of another process while a switch waits for a row; on SQLite, which has one writer, after it. */
  async function switchBeside(
    row: { table: string; id: string },
    ids: [string, string],
    work: (other: Database) => Promise<unknown>,
  ) {
    const [other = store.database] = store.others;
    if (store.engine === 'sqlite') {
      await enter(...ids);
      return void (await work(other));
    }
    const ofThis = 'SELECT pid FROM pg_locks JOIN pg_database ON oid = database WHERE datname = current_database()';
    const waiting = async () =>
      (await store.query(`SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pid IN (${ofThis})`)).length;
    await store.query('BEGIN');
    await store.query(`SELECT id FROM ${row.table} WHERE id = ? FOR UPDATE`, row.id);
    const switched = enter(...ids);
    await expect.poll(waiting).toBe(1);
    let isDone = false;
    const done = work(other).finally(() => (isDone = true));
    // It has been done, or waits for the switch.
    await expect.poll(async () => isDone || (await waiting()) === 2).toBe(true);
    await store.query('COMMIT');
    await Promise.all([switched, done]);
  }

  it('is left with the role that somebody gives meanwhile', async () => {
    const [ann, bob] = [await addAccount(store.database), await addAccount(store.database)];
    const [one, two] = [await addTeam('One', ann), await addTeam('Two', bob)];
    await join(one, bob);
    await enter(bob, one);
    await store.database.run(changeRole, { ...change(one, ann), accountId: bob, role: 'admin' });
    const [taskId = ''] = await createTasks(store.database, bob, 1);
    const demote = (other: Database) => other.run(changeRole, { ...change(one, ann), accountId: bob, role: 'member' });
    await switchBeside({ table: 'tasks', id: taskId }, [bob, two], demote);
    expect((await store.database.run(listTeamsOf, bob)).map(({ id, role }) => [id, role])).toEqual([
      [one, 'member'],
      [two, 'owner'],
    ]);
  });

  it('is that of a task which is started while the account leaves it', async () => {
    const ann = await addAccount(store.database);
    const [one, two] = [await addTeam('One', ann), await addTeam('Two', ann)];
    const id = newId(nextMs());
    const schedule = {
      accountId: ann,
      scheduleId: id,
      settings: sampleSchedule(),
      apiKeyId: null,
      oauthClientId: null,
      now: nextMs(),
    };
    await store.database.run(createSchedule, schedule);
    const teamId = store.engine === 'sqlite' ? one : null;
    const start = (other: Database) => other.run(createTask, { ...sampleTask(ann), teamId });
    await switchBeside({ table: 'schedules', id }, [ann, two], start);
    expect(await teamsOfTasks(ann)).toEqual([one]);
  });

  it('is named in tasks before the switch, as far as nobody works on them', async () => {
    const ann = await addAccount(store.database);
    const [one, two] = [await addTeam('One', ann), await addTeam('Two', ann)];
    const taskIds = await createTasks(store.database, ann, 3);
    const list = (afterId: string, limit: number) => store.database.run(listUnnamedTasks, { accountId: ann, afterId, limit });
    expect([await list('', 2), await list(taskIds[1] ?? '', 2)]).toEqual([taskIds.slice(0, 2), taskIds.slice(2)]);
    await store.database.run(nameTasks, { accountId: ann, teamId: two, taskIds });
    expect(await teamsOfTasks(ann)).toEqual([null, null, null]);
    await store.database.run(nameTasks, { accountId: ann, teamId: one, taskIds: taskIds.slice(0, 2) });
    expect([await teamsOfTasks(ann), await list('', 9)]).toEqual([[one, one, null], taskIds.slice(2)]);
    const [eve] = [await addAccount(store.database)];
    await store.database.run(nameTasks, { accountId: eve, teamId: '', taskIds });
    expect(await teamsOfTasks(ann)).toEqual([one, one, null]);
    await enter(ann, two);
    expect(await teamsOfTasks(ann)).toEqual([one, one, one]);
  });

  it('is entered also by an account that the previous release has added to it once more', async () => {
    const ann = await addAccount(store.database);
    const [one, two] = [await addTeam('One', ann), await addTeam('Two', ann)];
    await store.query(
      "INSERT INTO other_memberships (account_id, team_id, role, joined_at) VALUES (?, ?, 'member', 1)",
      ann,
      one,
    );
    await enter(ann, two);
    expect(await namesOf(ann)).toEqual(['One', 'Two!']);
    await enter(ann, one);
    expect(await namesOf(ann)).toEqual(['One!', 'Two']);
  });

  it('is in the security record when it changes', async () => {
    const ann = await addAccount(store.database);
    const [one, two] = [await addTeam('One', ann), await addTeam('Two', ann)];
    for (const team of [two, two, one]) await enter(ann, team);
    const noted = "SELECT detail FROM security_events WHERE account_id = ? AND kind = 'team_switched' ORDER BY id";
    expect((await store.query(noted, ann)).map(({ detail }) => JSON.parse(String(detail)) as unknown)).toEqual([
      { team_id: two, team: 'Two' },
      { team_id: one, team: 'One' },
    ]);
  });
});
