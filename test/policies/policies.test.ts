import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import type { PolicyRule } from '../../src/rules/policies/policy.ts';
import { beginAccountDeletion, deleteAccountRows } from '../../src/store/accounts/account-deletion.ts';
import { inviteMember, acceptInvitation, removeMember } from '../../src/store/accounts/team-membership.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import { findPolicies, listPolicies } from '../../src/store/policies/policies.ts';
import { PolicyCache } from '../../src/work/policies/policy-cache.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { someNumber } from '../support/http/matchers.ts';

const never: PolicyRule = { tool: 'run_shell', argument: 'git push', decision: 'never' };
const ask: PolicyRule = { tool: '*', connector: 'c1', decision: 'ask' };

describeStores('policies', (store) => {
  const set = async (api: ApiUnderTest, input: Json, key?: string) => {
    const { status, body } = await api.call('policy.set', input, key === undefined ? {} : { key });
    return status === 200 ? (body.policy as Json | null) : [status, body.error.code, body.error.param];
  };
  const list = async (api: ApiUnderTest, key?: string) =>
    (await api.call('policy.list', {}, key === undefined ? {} : { key })).body.data;
  const makeTeam = async (owner: Owner, member: Owner, role: 'admin' | 'member') => {
    const now = Date.now();
    const team = { teamId: newId(now), actor: 'operator', now };
    await store.database.run(createTeam, { ...team, name: `Team ${team.teamId}`, ownerId: owner.accountId });
    const invitation = { email: `${member.accountId}@example.com`.toLowerCase(), role, digest: newId(now) };
    await store.database.run(inviteMember, { ...team, actorId: null, ...invitation });
    await store.database.run(acceptInvitation, { ...team, accountId: null, digest: invitation.digest });
    return team;
  };

  it('are set whole, listed for what they apply to, and removed by an empty list', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const project = (await api.call('project.create', { name: 'x' })).body.project as Json;
    const first = { scope: 'account', id: api.owner.accountId, rules: [never, ask], updated_at: someNumber };
    expect(await set(api, { scope: 'account', rules: [never, ask] })).toEqual(first);
    const second = { scope: 'project', id: project.id, rules: [ask], updated_at: someNumber };
    expect(await set(api, { scope: 'project', id: project.id, rules: [ask] })).toEqual(second);
    expect(await list(api)).toEqual([first, second]);
    const { body } = await api.call('policy.list', { limit: 1 });
    expect([body.data, body.has_more]).toEqual([[first], true]);
    const next = await api.call('policy.list', { limit: 1, cursor: body.next_cursor });
    expect([next.body.data, next.body.has_more]).toEqual([[second], false]);
    expect(await set(api, { scope: 'account', rules: [ask] })).toEqual({ ...first, rules: [ask] });
    expect(await set(api, { scope: 'account', rules: [] })).toBe(null);
    expect(await list(api)).toEqual([second]);
    const record = await store.query("SELECT detail FROM security_events WHERE kind = 'policy_set'");
    expect(record).toHaveLength(4);
    const other = await addOwner(store.database);
    expect(await list(api, other.key)).toEqual([]);
  });

  it('of a team are set by its admins, and apply to its members while they are members', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [member, stranger] = [await addOwner(store.database), await addOwner(store.database)];
    const team = await makeTeam(api.owner, member, 'member');
    const shown = { scope: 'team', id: team.teamId, rules: [never], updated_at: someNumber };
    expect(await set(api, { scope: 'team', rules: [never] })).toEqual(shown);
    expect(await set(api, { scope: 'team', id: team.teamId, rules: [never] })).toEqual(shown);
    expect(await list(api, member.key)).toEqual([shown]);
    expect(await set(api, { scope: 'team', rules: [] }, member.key)).toEqual([403, 'permission_denied', undefined]);
    for (const id of [undefined, team.teamId]) {
      expect(await set(api, { scope: 'team', id, rules: [] }, stranger.key)).toEqual([404, 'not_found', undefined]);
    }
    const { body } = await api.call('task.create', { message: { content: 'x' } }, { key: member.key });
    const taskId = String(body.task_id);
    const find = () => store.database.run(findPolicies, { accountId: member.accountId, taskId, projectId: null });
    expect(await find()).toMatchObject([{ scope: 'team', rules: [never] }]);
    await store.database.run(removeMember, { ...team, actorId: null, accountId: member.accountId });
    expect([await find(), await list(api, member.key)]).toEqual([[], []]);
    expect(await list(api)).toEqual([shown]);
  });

  it('apply to the tasks of the account, and those of a project to its tasks alone', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { accountId } = api.owner;
    const project = (await api.call('project.create', { name: 'x' })).body.project as { id: string };
    await set(api, { scope: 'project', id: project.id, rules: [ask] });
    await set(api, { scope: 'account', rules: [never] });
    const taskId = await api.createTask('x');
    const find = async (projectId: string | null) =>
      (await store.database.run(findPolicies, { accountId, taskId, projectId })).map(({ scope }) => scope).toSorted();
    expect([await find(null), await find(project.id)]).toEqual([['account'], ['account', 'project']]);
    const after = { scope: 'account', scopeId: accountId };
    expect(await store.database.run(listPolicies, { accountId, after, limit: 9 })).toMatchObject([{ scopeId: project.id }]);
  });

  it('are read again after a second, however the wall clock jumps', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const clock = new TestClock();
    const cache = new PolicyCache({ database: store.database, clock });
    const task = { accountId: api.owner.accountId, taskId: await api.createTask('x') };
    const find = async () => (await cache.find(task, null)).map(({ rules }) => rules);
    expect(await find()).toEqual([]);
    await set(api, { scope: 'account', rules: [never] });
    await clock.advance(999);
    clock.jump(3_600_000);
    expect(await find()).toEqual([]);
    clock.jump(-500);
    await clock.advance(1);
    expect(await find()).toEqual([[never]]);
    await set(api, { scope: 'account', rules: [] });
    for (let time = 0; time < 10; time += 1) {
      clock.jump(-100);
      await clock.advance(100);
    }
    expect(await find()).toEqual([]);
  });

  it('are refused with the field that is wrong, and for what is not there', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const other = await addOwner(store.database);
    const refused = async (rule: Json, param: string) => {
      expect(await set(api, { scope: 'account', rules: [{ ...never, ...rule }] })).toEqual([400, 'invalid_argument', param]);
    };
    await refused({ tool: '' }, 'rules[0].tool');
    await refused({ tool: 'mcp__*' }, 'rules[0].tool');
    await refused({ tool: 'x'.repeat(129) }, 'rules[0].tool');
    await refused({ argument: 'x'.repeat(201) }, 'rules[0].argument');
    await refused({ connector: 'x'.repeat(65) }, 'rules[0].connector');
    await refused({ decision: 'maybe' }, 'rules[0].decision');
    expect(await set(api, { scope: 'account', rules: Array.from({ length: 101 }, () => never) })).toEqual([
      400,
      'invalid_argument',
      'rules',
    ]);
    expect(await set(api, { scope: 'account' })).toEqual([400, 'invalid_argument', 'rules']);
    expect(await set(api, { scope: 'key', rules: [] })).toEqual([400, 'invalid_argument', 'scope']);
    expect(await set(api, { scope: 'project', rules: [] })).toEqual([400, 'invalid_argument', 'id']);
    expect(await set(api, { scope: 'project', id: 'x', rules: [] })).toEqual([404, 'not_found', 'id']);
    expect(await set(api, { scope: 'account', id: other.accountId, rules: [] })).toEqual([404, 'not_found', 'id']);
    expect(await set(api, { scope: 'account', rules: Array.from({ length: 100 }, () => never) })).toMatchObject({
      scope: 'account',
    });
  });

  it('set by an application allow in advance only what its user granted it', async () => {
    const via = { kind: 'oauth' as const, clientId: 'one', grantId: 'g', trusted: null, connectors: ['c1'] };
    const scopes = ['manage_all_tasks', 'use_connectors'] as const;
    const owner = await addOwner(store.database);
    const token = { accountId: owner.accountId, plan: 'pro' as const, locale: 'en', via: { ...via, scopes } };
    await using api = await ApiUnderTest.start(store.database, { owner, findTokenOwner: () => Promise.resolve(token) });
    const member = await addOwner(store.database);
    await makeTeam(owner, member, 'member');
    const setBy = async (input: Json) => {
      const headers = { authorization: 'Bearer token.of.one' };
      return (await api.call('policy.set', input, { key: null, headers })).status;
    };
    const allow = (rule: Json) => setBy({ scope: 'account', rules: [{ tool: '*', decision: 'always', ...rule }] });
    expect([await allow({}), await allow({ tool: 'run_shell' }), await allow({ connector: 'c2' })]).toEqual([403, 403, 403]);
    expect([await allow({ connector: 'c1' }), await allow({ decision: 'never' })]).toEqual([200, 200]);
    expect(await setBy({ scope: 'team', rules: [never] })).toBe(403);
    expect(await set(api, { scope: 'account', rules: [{ tool: '*', decision: 'always' }] })).toMatchObject({ scope: 'account' });
  });

  it('go with their account, and those of a team with its last member', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const admin = await addOwner(store.database);
    await makeTeam(api.owner, admin, 'admin');
    await set(api, { scope: 'account', rules: [ask] });
    await set(api, { scope: 'team', rules: [never] }, admin.key);
    const remove = async ({ accountId }: Owner) => {
      await store.database.run(beginAccountDeletion, { accountId, actor: 'operator', now: Date.now() });
      for (let state = 'more'; state === 'more'; )
        state = await store.database.run(deleteAccountRows, { accountId, limit: 1000 });
      return (await store.query('SELECT scope FROM policies ORDER BY scope')).map(({ scope }) => scope);
    };
    expect(await remove(admin)).toEqual(['account', 'team']);
    expect(await remove(api.owner)).toEqual([]);
  });
});
