import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { switchTeam } from '../../src/store/accounts/current-team.ts';
import { acceptInvitation, inviteMember, removeMember } from '../../src/store/accounts/team-membership.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

describeStores('the inbox of somebody in two teams', (store) => {
  async function makeTeam(name: string, owner: Owner, member: Owner): Promise<string> {
    const team = { teamId: newId(Date.now()), actor: 'operator', now: Date.now() };
    await store.database.run(createTeam, { ...team, name, ownerId: owner.accountId });
    const email = `${member.accountId}@example.com`.toLowerCase();
    const digest = newId(Date.now());
    await store.database.run(inviteMember, { ...team, actorId: null, email, role: 'member', digest });
    await store.database.run(acceptInvitation, { ...team, accountId: member.accountId, digest });
    return team.teamId;
  }

  /** Bob is in the team of Ann, which is his current one, and in that of Eve. */
  async function start() {
    const api = await ApiUnderTest.start(store.database);
    const [ann, eve] = [await addOwner(store.database), await addOwner(store.database)];
    const bob = api.owner;
    const blue = await makeTeam('Blue', ann, bob);
    const red = await makeTeam('Red', eve, bob);
    const as = async ({ key }: Owner, name: string, input: Json = {}) => api.call(name, input, { key });
    const inbox = async (who: Owner, input: Json = {}) => (await as(who, 'inbox.list', input)).body.data;
    const ids = async (who: Owner) => (await inbox(who)).map(({ task_id: id }) => String(id));
    const enter = (teamId: string) =>
      store.database.run(switchTeam, { accountId: bob.accountId, teamId, actor: 'test', now: Date.now() });
    const leave = (teamId: string, { accountId }: Owner) =>
      store.database.run(removeMember, { teamId, actorId: null, actor: 'operator', now: Date.now(), accountId });
    const ask = async (who: Owner, content: string) => {
      const input = { message: { content }, share_visibility: 'team' };
      const taskId = String((await as(who, 'task.create', input)).body.task_id);
      await (await WorkerHand.take(store.database, taskId)).ask('Which?');
      return taskId;
    };
    const assign = async (owner: Owner, taskId: string, to: Owner) => {
      const id = (await inbox(owner)).find((item) => item.task_id === taskId)?.id;
      expect((await as(owner, 'inbox.assign', { id, account_id: to.accountId })).status).toBe(200);
      return id;
    };
    const handOver = (owner: Owner, taskId: string, to: Owner) =>
      as(owner, 'task.handOver', { task_id: taskId, account_id: to.accountId });
    return { api, ann, bob, eve, blue, red, as, inbox, ids, enter, leave, ask, assign, handOver };
  }

  it('has what is assigned to them in the team that is not current, and nothing else of that team', async () => {
    const { api, ann, bob, eve, red, as, inbox, ids, enter, ask, assign, handOver } = await start();
    await using _ = api;
    const [handedOver, assigned, neither] = [await ask(ann, 'One'), await ask(ann, 'Two'), await ask(ann, 'Three')];
    const inRed = await ask(eve, 'Red');
    expect(await ids(bob)).toEqual([neither, assigned, handedOver]);
    await enter(red);
    expect(await ids(bob)).toEqual([inRed]);
    await handOver(ann, handedOver, bob);
    const id = await assign(ann, assigned, bob);
    expect(await ids(bob)).toEqual([inRed, assigned, handedOver]);
    // Each page continues where the last one ended, in all teams together.
    const cursors: (string | undefined)[] = [undefined];
    const paged: unknown[] = [];
    for (const cursor of cursors) {
      const { data, next_cursor: next } = (await as(bob, 'inbox.list', { limit: 1, ...(cursor !== undefined && { cursor }) }))
        .body as { data: Json[]; next_cursor?: string };
      paged.push(...data.map(({ task_id: one }) => one));
      if (next !== undefined && next !== '') cursors.push(next);
    }
    expect(paged).toEqual([inRed, assigned, handedOver]);
    expect((await inbox(bob)).map(({ assignee }) => assignee)).toEqual([undefined, bob.accountId, bob.accountId]);
    // Nobody else of either team has more than before.
    expect(await ids(eve)).toEqual([inRed]);
    expect((await as(bob, 'inbox.decide', { id, answer: 'This one.' })).status).toBe(200);
    expect(await ids(bob)).toEqual([inRed, handedOver]);
  });

  it('has nothing of a team once the task is not shared any more, or somebody has left', async () => {
    const { api, ann, bob, blue, red, as, ids, enter, leave, ask, assign } = await start();
    await using _ = api;
    const taskId = await ask(ann, 'One');
    await enter(red);
    await assign(ann, taskId, bob);
    const share = (visibility: string) => as(ann, 'task.update', { task_id: taskId, share_visibility: visibility });
    await share('private');
    expect(await ids(bob)).toEqual([]);
    await share('team');
    expect(await ids(bob)).toEqual([taskId]);
    await leave(red, bob);
    expect(await ids(bob)).toEqual([taskId]);
    await leave(blue, bob);
    expect(await ids(bob)).toEqual([]);
  });
});
