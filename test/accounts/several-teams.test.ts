import { expect, it, vi } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { SkillRegistry } from '../../src/skills/skill-registry.ts';
import { dayMs } from '../../src/rules/credits/credit-balance.ts';
import { beginAccountDeletion, deleteAccountRows } from '../../src/store/accounts/account-deletion.ts';
import { nameTasks, switchTeam } from '../../src/store/accounts/current-team.ts';
import { acceptInvitation, inviteMember, removeMember } from '../../src/store/accounts/team-membership.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import { insertSession } from '../../src/store/credits/usage-ledger.ts';
import { createApp } from '../../src/store/oauth/oauth-apps.ts';
import { mayUseApp } from '../../src/store/oauth/oauth-audience.ts';
import { mainTaskId } from '../../src/rules/agents/default-agent.ts';
import { findPolicies } from '../../src/store/policies/policies.ts';
import { createSubtask } from '../../src/store/tasks/subtasks.ts';
import { addSession, type TestSession } from '../support/accounts/web-session.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { inPieces } from '../support/files/blob-store-contract.ts';
import { addApp } from '../support/oauth/oauth-samples.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const recipe = { message_template: 'Go', fields: [] };
const never = { tool: 'run_shell', decision: 'never' } as const;
const skill = (name: string) => `---\nname: ${name}\ndescription: Does it.\n---\nDo it.`;

describeStores('an account in two teams', (store) => {
  const emailOf = ({ accountId }: Owner) => `${accountId}@example.com`.toLowerCase();

  async function makeTeam(name: string, owner: Owner, ...members: Owner[]): Promise<string> {
    const team = { teamId: newId(Date.now()), actor: 'operator', now: Date.now() };
    await store.database.run(createTeam, { ...team, name, ownerId: owner.accountId });
    for (const member of members) {
      const invitation = { email: emailOf(member), role: 'member' as const, digest: newId(Date.now()) };
      await store.database.run(inviteMember, { ...team, actorId: null, ...invitation });
      await store.database.run(acceptInvitation, { ...team, accountId: member.accountId, digest: invitation.digest });
    }
    return team.teamId;
  }

  /** Bob is in the team of Ann, which is his current one, and in that of Eve, who is in no other. */
  async function start() {
    const api = await ApiUnderTest.start(store.database);
    const [ann, eve] = [await addOwner(store.database), await addOwner(store.database)];
    const bob = api.owner;
    const blue = await makeTeam('Blue', ann, bob);
    const red = await makeTeam('Red', eve, bob);
    const as = async ({ key }: Owner, name: string, input: Json = {}) => api.call(name, input, { key });
    const enter = (teamId: string, { accountId }: Owner = bob) =>
      store.database.run(switchTeam, { accountId, teamId, actor: 'test', now: Date.now() });
    const leave = (teamId: string, { accountId }: Owner = bob) =>
      store.database.run(removeMember, { teamId, actorId: null, actor: 'operator', now: Date.now(), accountId });
    const share = async (who: Owner, content: string) =>
      String((await as(who, 'task.create', { message: { content }, share_visibility: 'team' })).body.task_id);
    const reads = async (taskId: string) =>
      Promise.all([ann, bob, eve].map(async (who) => (await as(who, 'task.detail', { task_id: taskId })).status));
    return { api, ann, bob, eve, blue, red, as, enter, leave, share, reads };
  }

  it('shares each task with the team in which it was made, wherever it is now', async () => {
    const { api, ann, bob, eve, blue, red, as, enter, leave, share, reads } = await start();
    await using _ = api;
    const [inBlue, ofAnn, ofEve] = [await share(bob, 'Blue plan'), await share(ann, 'Blue idea'), await share(eve, 'Red idea')];
    const later = await api.createTask('Blue draft');
    await enter(red);
    const inRed = await share(bob, 'Red plan');
    expect([await reads(inBlue), await reads(inRed)]).toEqual([
      [200, 200, 404],
      [404, 200, 200],
    ]);
    // What is shared only later is still of the team in which it was made.
    await api.call('task.update', { task_id: later, share_visibility: 'team' });
    expect(await reads(later)).toEqual([200, 200, 404]);
    // Bob reads what his teammates share in both teams, in whichever he is.
    expect([await reads(ofAnn), await reads(ofEve)]).toEqual([
      [200, 200, 404],
      [404, 200, 200],
    ]);
    for (const [name, input] of [
      ['task.listMessages', {}],
      ['task.listComments', {}],
      ['task.comment', { text: 'Hm.' }],
      ['task.handOver', { account_id: null }],
      ['task.sendMessage', { message: { content: 'x' } }],
    ] as const)
      expect([name, (await as(eve, name, { task_id: inBlue, ...input })).status]).toEqual([name, 404]);
    const { shared } = (await store.query('SELECT share_id AS shared FROM tasks WHERE id = ?', inBlue))[0] ?? {};
    const seen = async (who: Owner) => openShare(api, await addSession(store.database, who.accountId), String(shared));
    expect([await seen(ann), await seen(eve)]).toEqual([200, 404]);
    await leave(blue);
    expect([await reads(inBlue), await reads(ofAnn), await reads(inRed), await reads(ofEve)]).toEqual([
      [404, 200, 404],
      [200, 404, 404],
      [404, 200, 200],
      [404, 200, 200],
    ]);
    // Shared again, a task goes to the team that its owner has left for.
    await api.call('task.update', { task_id: inBlue, share_visibility: 'private' });
    await api.call('task.update', { task_id: inBlue, share_visibility: 'team' });
    expect(await reads(inBlue)).toEqual([404, 200, 200]);
  });

  it('has what waits, comments, and hand-overs in the team of the task alone', async () => {
    const { api, ann, bob, eve, blue, red, as, enter, leave, share } = await start();
    await using _ = api;
    const inBlue = await share(bob, 'Blue plan');
    await (await WorkerHand.take(store.database, inBlue)).ask('Which?');
    await enter(red);
    const inRed = await share(bob, 'Red plan');
    await (await WorkerHand.take(store.database, inRed)).ask('Which?');
    const inbox = async (who: Owner) => (await as(who, 'inbox.list')).body.data.map(({ task_id: id }) => id);
    expect([await inbox(ann), await inbox(eve), await inbox(bob)]).toEqual([[inBlue], [inRed], [inRed, inBlue]]);
    const [item] = (await as(bob, 'inbox.list')).body.data.filter(({ task_id: id }) => id === inBlue);
    const assign = async (to: Owner) => (await as(bob, 'inbox.assign', { id: item?.id, account_id: to.accountId })).status;
    expect([await assign(eve), await assign(ann)]).toEqual([404, 200]);
    const handOver = async (to: Owner) => (await as(bob, 'task.handOver', { task_id: inBlue, account_id: to.accountId })).status;
    expect([await handOver(eve), await handOver(ann)]).toEqual([404, 200]);
    await as(bob, 'task.handOver', { task_id: inRed, account_id: eve.accountId });
    for (const who of [ann, eve]) await as(who, 'notification.set', { time_zone: 'UTC' });
    await store.query('DELETE FROM notifications');
    await as(bob, 'task.comment', { task_id: inBlue, text: `@${emailOf(eve)} @${emailOf(ann)} look` });
    const notified = await store.query('SELECT account_id FROM notifications');
    expect(notified).toEqual([{ account_id: ann.accountId }]);
    await as(ann, 'task.comment', { task_id: inBlue, text: 'Yes.' });
    await leave(blue);
    const assignees = await store.query("SELECT id, assignee FROM tasks WHERE share_visibility = 'team' ORDER BY id");
    expect(assignees).toEqual([
      { id: inBlue, assignee: null },
      { id: inRed, assignee: eve.accountId },
    ]);
    const authors = (await as(bob, 'task.listComments', { task_id: inBlue })).body.data.map(({ email }) => email ?? null);
    expect(authors).toEqual([null, emailOf(bob)]);
  });

  it('sees the recipes, skills, and policies of its current team, and keeps sharing in the other', async () => {
    const { api, ann, bob, eve, blue, red, as, enter } = await start();
    await using _ = api;
    for (const [who, name] of [
      [ann, 'blue'],
      [eve, 'red'],
      [bob, 'mine'],
    ] as const) {
      await as(who, 'recipe.create', { ...recipe, name, team: true });
      await as(who, 'skill.create', { content: skill(name), team: true });
      if (who !== bob) await as(who, 'policy.set', { scope: 'team', rules: [never] });
    }
    const names = async (who: Owner, name: string) =>
      (await as(who, name)).body.data
        .filter((one) => one.is_shipped !== true && one.owner_type !== 'official')
        .map((one) => String(one.name ?? one.id))
        .toSorted();
    const library = async (who: Owner) => [await names(who, 'recipe.list'), await names(who, 'skill.list')];
    expect(await library(bob)).toEqual([
      ['blue', 'mine'],
      ['blue', 'mine'],
    ]);
    expect(await names(bob, 'policy.list')).toEqual([blue]);
    await enter(red);
    expect(await library(bob)).toEqual([['mine', 'red'], ['red']]);
    expect(await names(bob, 'policy.list')).toEqual([red]);
    expect(await library(eve)).toEqual([['red'], ['red']]);
    expect(await library(ann)).toEqual([
      ['blue', 'mine'],
      ['blue', 'mine'],
    ]);
    // A change does not move a recipe to the current team.
    const mine = (await as(bob, 'recipe.list')).body.data.find(({ name }) => name === 'mine');
    expect((await as(bob, 'recipe.update', { recipe_id: mine?.id, name: 'mine', team: true })).status).toBe(200);
    expect([await names(ann, 'recipe.list'), await names(eve, 'recipe.list')]).toEqual([['blue', 'mine'], ['red']]);
    const ofAnn = (await as(ann, 'recipe.list')).body.data.find(({ name }) => name === 'blue');
    const run = async (who: Owner) => (await as(who, 'recipe.run', { recipe_id: ofAnn?.id, values: {} })).status;
    expect([await run(bob), await run(eve)]).toEqual([200, 404]);
  });

  it('works with the policies and skills of the team of the task, of its subtasks, and of what starts it', async () => {
    const { api, ann, bob, eve, red, as, enter, leave, blue } = await start();
    await using _ = api;
    await as(ann, 'policy.set', { scope: 'team', rules: [never] });
    await as(ann, 'skill.create', { content: skill('blue'), team: true });
    await as(eve, 'skill.create', { content: skill('red'), team: true });
    const schedule = { name: 's', message: { content: 'Go' }, interval_seconds: 3600 };
    const scheduleId = ((await api.call('schedule.create', schedule)).body.schedule as Json).id;
    const trigger = { name: 't', message_template: 'Go', verification: { type: 'none' } };
    const triggerId = ((await api.call('trigger.create', trigger)).body.trigger as Json).id;
    const taskId = await api.createTask('Blue plan');
    await WorkerHand.take(store.database, taskId);
    await enter(red);
    const subtaskId = newId(Date.now());
    const work = { title: 'Part', message: { type: 'user_message', text: 'x', kind: 'text' } as const, taskConfig: {} };
    const limits = { maxSubtasks: 9, maxDepth: 9, copyId: null, creditDemand: null };
    const part = { accountId: bob.accountId, parentId: taskId, taskId: subtaskId, now: Date.now() };
    expect(await store.database.run(createSubtask, { ...part, ...work, ...limits })).toBe('created');
    const byHand = (await api.call('schedule.runNow', { schedule_id: scheduleId })).body;
    const tried = (await api.call('trigger.try', { trigger_id: triggerId, body: {} })).body;
    const scheduled = String(byHand.task_id ?? (byHand.run as Json).task_id);
    const inRed = await api.createTask('Red plan');
    const skills = new SkillRegistry(store.database, new TestClock());
    const seenBy = async (id: string) => {
      const key = { accountId: bob.accountId, taskId: id, projectId: null };
      const offered = (await skills.offer(key)).map(({ name }) => name).filter((name) => ['blue', 'red'].includes(name));
      const policies = await store.database.run(findPolicies, key);
      return [...offered, ...policies.map(({ scopeId }) => scopeId)];
    };
    for (const id of [taskId, subtaskId, scheduled, String(tried.task_id)]) expect(await seenBy(id)).toEqual(['blue', blue]);
    expect(await seenBy(inRed)).toEqual(['red']);
    await leave(blue);
    expect(
      await new SkillRegistry(store.database, new TestClock()).offer({ accountId: bob.accountId, taskId, projectId: null }),
    ).not.toContainEqual(expect.objectContaining({ name: 'blue' }));
    expect(await store.database.run(findPolicies, { accountId: bob.accountId, taskId, projectId: null })).toEqual([]);
  });

  it('goes on with its agent in every team, by the policies of the current one, unless the main task is shared', async () => {
    const { api, ann, bob, eve, blue, red, as, enter, leave, reads } = await start();
    await using _ = api;
    for (const who of [ann, eve]) await as(who, 'policy.set', { scope: 'team', rules: [never] });
    const { accountId } = bob;
    const taskId = mainTaskId(accountId);
    const policiesOf = async (id: string) =>
      (await store.database.run(findPolicies, { accountId, taskId: id, projectId: null })).map(({ scopeId }) => scopeId);
    expect(await policiesOf(taskId)).toEqual([blue]);
    const session = await addSession(store.database, accountId);
    expect((await askWeb(api, session, 'team.switch', { team: red })).status).toBe(200);
    expect(await policiesOf(taskId)).toEqual([red]);
    await leave(red);
    expect(await policiesOf(taskId)).toEqual([]);
    await enter(blue);
    expect(await policiesOf(taskId)).toEqual([blue]);
    const share = (visibility: string) => as(bob, 'task.update', { task_id: taskId, share_visibility: visibility });
    expect((await share('team')).status).toBe(200);
    await enter(await makeTeam('Own', bob));
    expect([await policiesOf(taskId), await reads(taskId)]).toEqual([[blue], [200, 200, 404]]);
    await share('private');
    expect([await policiesOf(taskId), await reads(taskId)]).toEqual([[], [404, 200, 404]]);
    await enter(blue);
    expect(await policiesOf(taskId)).toEqual([blue]);
  });

  it('repeats a task in the team of that task, whichever is current', async () => {
    const { api, ann, bob, eve, blue, red, as, enter, leave, reads } = await start();
    await using _ = api;
    for (const who of [ann, eve]) await as(who, 'policy.set', { scope: 'team', rules: [never] });
    const session = await addSession(store.database, bob.accountId);
    const repeat = async (id: string) => String((await askWeb(api, session, 'task.repeat', { task_id: id })).body.task_id);
    const policiesOf = async (id: string) =>
      (await store.database.run(findPolicies, { accountId: bob.accountId, taskId: id, projectId: null })).map(
        ({ scopeId }) => scopeId,
      );
    const taskId = await api.createTask('Blue plan');
    const early = await repeat(taskId);
    await enter(red);
    const late = await repeat(taskId);
    expect([await policiesOf(early), await policiesOf(late)]).toEqual([[blue], [blue]]);
    await as(bob, 'task.update', { task_id: late, share_visibility: 'team' });
    expect(await reads(late)).toEqual([200, 200, 404]);
    await leave(blue);
    expect(await policiesOf(await repeat(taskId))).toEqual([]);
  });

  it('publishes a website again for the team that sees it, not for the current one', async () => {
    const { api, ann, bob, eve, blue, red, as, enter, leave, share } = await start();
    await using _ = api;
    const taskId = await share(bob, 'A page');
    const websiteId = newId(Date.now());
    const { blobId } = await api.blobs.put(bob.accountId, inPieces(Buffer.from('[]')), { maxBytes: 2 });
    const site = { websiteId, folder: 'site/', space: newId(1), title: 'Site', platform: 'website' as const, message: 'First' };
    const files = { versionId: 'v1', blobId, indexAt: 0, bytes: 2 };
    await (await WorkerHand.take(store.database, taskId)).log({ type: 'site_made', ...site, ...files });
    const sees = async () =>
      Promise.all([ann, eve].map(async (who) => (await as(who, 'website.status', { website_id: websiteId })).status));
    const publish = async (input: Json) => (await as(bob, 'website.publish', { website_id: websiteId, ...input })).status;
    expect([await publish({ visibility: 'team' }), await sees()]).toEqual([200, [200, 404]]);
    await leave(blue);
    await enter(red);
    expect([await publish({ keep_visibility: true }), await sees()]).toEqual([200, [404, 404]]);
    expect([await publish({ visibility: 'team' }), await sees()]).toEqual([200, [404, 200]]);
  });

  it('is counted in a team with what it has used there', async () => {
    const { api, ann, bob, eve, blue, red, as, enter, leave } = await start();
    await using _ = api;
    const spend = async (taskId: string, credits: number) => {
      const bill = { accountId: bob.accountId, taskId, session: 3, cost: credits * 1_000_000, now: Date.now() };
      const { sql, params } = insertSession(bill, false);
      await store.query(sql, ...params);
    };
    await spend(await api.createTask('Blue plan'), 5);
    await enter(red);
    await spend(await api.createTask('Red plan'), 70);
    await spend(newId(Date.now()), 900);
    await spend(mainTaskId(bob.accountId), 8000);
    const used = async (who: Owner) =>
      (await as(who, 'usage.teamLog')).body.data.find(({ user_id: id }) => id === bob.accountId)?.credits;
    const days = async (who: Owner) => (await as(who, 'usage.teamStatistic')).body.data.map(({ credits }) => credits);
    expect([await used(ann), await used(eve), await used(bob)]).toEqual([5, 70, 70]);
    expect([await days(ann), await days(eve)]).toEqual([[5], [70]]);
    const day = `INSERT INTO usage_days (account_id, day, project_id, model, calls, input, output, cached, cost)
      VALUES (?, ?, '', 'm', 1, 1, 1, 1, 1)`;
    for (const { accountId } of [ann, bob, eve]) await store.query(day, accountId, Math.floor(Date.now() / dayMs));
    const people = async (who: Owner) =>
      (await as(who, 'usage.breakdown', { by: 'user' })).body.data.map(({ user_id: id }) => String(id)).toSorted();
    const all = async () => Promise.all([ann, eve, bob].map(people));
    expect(await all()).toEqual([[ann.accountId], [eve.accountId], [bob.accountId]]);
    // Nobody knows either what somebody has used for which team who is in one alone by now.
    await leave(blue);
    expect(await all()).toEqual([[ann.accountId], [eve.accountId], [bob.accountId]]);
    expect([await used(eve), await days(eve)]).toEqual([70, [70]]);
    await store.query('UPDATE accounts SET left_team_at = left_team_at - ? WHERE account_id = ?', dayMs, bob.accountId);
    expect(await people(eve)).toEqual([bob.accountId, eve.accountId].toSorted());
    expect(await used(eve)).toBe(8970);
  });

  it('lets only the team of an application connect it', async () => {
    const { api, ann, bob, eve, red, enter } = await start();
    await using _ = api;
    const { clientId } = await addApp(store.database, { accountId: bob.accountId });
    await enter(red);
    const mayUse = async () =>
      Promise.all([ann, eve].map(({ accountId }) => store.database.run(mayUseApp, { accountId, clientId })));
    expect(await mayUse()).toEqual([true, false]);
  });

  it('makes an application trusted only by a team that it manages, whichever is current', async () => {
    const { api, ann, bob, red, enter } = await start();
    await using _ = api;
    const session = await addSession(store.database, bob.accountId);
    const change = async (clientId: string, input: Json) =>
      (await askWeb(api, session, 'app.update', { client_id: clientId, ...input })).status;
    const { clientId: inBlue } = await addApp(store.database, { accountId: bob.accountId });
    const own = await makeTeam('Own', bob);
    expect(await change(inBlue, { trusted: 'team' })).toBe(403);
    await enter(own);
    const { clientId: inOwn } = await addApp(store.database, { accountId: bob.accountId });
    expect([await change(inBlue, { trusted: 'team' }), await change(inOwn, { trusted: 'team' })]).toEqual([403, 200]);
    await enter(red);
    const create = { name: 'Reports', redirect_uris: ['https://a.example/cb'], trusted: 'team' };
    expect((await askWeb(api, session, 'app.create', create)).status).toBe(403);
    expect([await change(inBlue, { trusted: 'team' }), await change(inOwn, { name: 'New' })]).toEqual([403, 200]);
    const kinds = await store.query('SELECT kind FROM oauth_apps WHERE account_id = ? ORDER BY client_id', bob.accountId);
    expect(kinds.map(({ kind }) => kind)).toEqual(['team', 'trusted_team']);
    expect(await change(inOwn, { trusted: 'no' })).toBe(200);
    expect(await change(inOwn, { trusted: 'team' })).toBe(200);
    expect(await store.database.run(mayUseApp, { accountId: ann.accountId, clientId: inOwn })).toBe(false);
  });

  it('makes no application trusted by a team that it switches to at the same moment', async () => {
    const { api, ann, bob, blue, enter } = await start();
    await using _ = api;
    const own = await makeTeam('Own', bob);
    const about = { name: 'App', homepage: null, isPublic: false, applicationType: null, redirectUris: [], createdAtMs: 1 };
    const app = { accountId: bob.accountId, ...about, kind: 'trusted_team' as const, scopes: [] };
    for (let time = 0; time < 8; time += 1) {
      await enter(own);
      const clientId = newId(Date.now());
      const create = store.database.run(createApp, { app: { ...app, clientId }, secret: null, actor: 'test' });
      const made = await Promise.all([create.catch(({ code }) => String(code)), enter(blue)]);
      expect(made[0]).toEqual(typeof made[0] === 'string' ? 'permission_denied' : expect.objectContaining({ clientId }));
      expect(await store.database.run(mayUseApp, { accountId: ann.accountId, clientId })).toBe(false);
    }
  });

  it('leaves both teams to their other members when it is deleted', async () => {
    const { api, bob, blue, red } = await start();
    await using _ = api;
    const alone = await makeTeam('Alone', bob);
    await store.database.run(beginAccountDeletion, { accountId: bob.accountId, actor: 'operator', now: Date.now() });
    while ((await store.database.run(deleteAccountRows, { accountId: bob.accountId, limit: 1000 })) === 'more');
    const left = (await store.query('SELECT team_id FROM teams')).map((row) => row.team_id);
    expect([left.includes(blue), left.includes(red), left.includes(alone)]).toEqual([true, true, false]);
    for (const table of ['team_members', 'other_memberships'])
      expect(await store.query(`SELECT team_id FROM ${table} WHERE account_id = ?`, bob.accountId)).toEqual([]);
  });

  it('names and switches its teams in the application, and those of nobody else', async () => {
    const { api, ann, eve, blue, red } = await start();
    await using _ = api;
    const [mine, theirs] = await Promise.all([api.owner, eve].map(({ accountId }) => addSession(store.database, accountId)));
    const ask = async (session: TestSession | undefined, name: string, input: Json = {}) => askWeb(api, session, name, input);
    const shown = async () => {
      const { team, teams } = (await ask(mine, 'session.show')).body as { team: Json | null; teams: Json[] };
      return [team?.name ?? null, ...teams.map(({ name }) => name)];
    };
    expect(await shown()).toEqual(['Blue', 'Blue', 'Red']);
    const taskId = await api.createTask('Blue plan');
    const run = vi.spyOn(store.database, 'run');
    expect((await ask(mine, 'team.switch', { team: 'Red' })).body).toMatchObject({ team_id: red, team: 'Red' });
    // The tasks are named before the switch, so that its own transaction is short.
    const named = run.mock.calls.flatMap(([operation, args]) => (operation.name === nameTasks.name ? [args] : []));
    run.mockRestore();
    expect(named).toEqual([
      { accountId: api.owner.accountId, teamId: blue, taskIds: expect.arrayContaining([taskId]) as unknown },
    ]);
    expect(await shown()).toEqual(['Red', 'Blue', 'Red']);
    expect((await ask(theirs, 'team.switch', { team: blue })).status).toBe(404);
    // For users, the account of another is not theirs to name.
    expect((await ask(theirs, 'team.switch', { team: 'Red', account: ann.accountId })).body).toMatchObject({
      account_id: eve.accountId,
    });
    const members = async (input: Json) => (await ask(mine, 'team.members', input)).body as { team_id?: string };
    expect([(await members({})).team_id, (await members({ team: blue })).team_id]).toEqual([red, blue]);
    expect((await ask(theirs, 'team.members', { team: blue })).status).toBe(404);
    expect((await ask(mine, 'team.remove', { team: blue, member: api.owner.accountId })).status).toBe(200);
    expect(await shown()).toEqual(['Red', 'Red']);
    expect((await ask(mine, 'team.remove', { member: api.owner.accountId })).status).toBe(200);
    expect(await shown()).toEqual([null]);
  });
});

async function askWeb(api: ApiUnderTest, session: TestSession | undefined, name: string, input: Json) {
  const isRead = /\.(show|members)$/.test(name);
  const query = isRead ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : '';
  const response = await fetch(`${api.http.url()}/web/${name}${query}`, {
    headers: { ...session?.headers, 'content-type': 'application/json' },
    ...(!isRead && { method: 'POST', body: JSON.stringify(input) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

async function openShare(api: ApiUnderTest, { headers }: TestSession, shareId: string): Promise<number> {
  return (await fetch(`${api.http.url()}/web/share.detail?share_id=${shareId}`, { headers })).status;
}
