import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { newId } from '@errand/base/ids.ts';
import { createAccount } from './accounts.ts';
import { listSecurityEvents } from './security-events.ts';
import { acceptInvitation, changeRole, invitationTtlMs, inviteMember, removeMember } from './team-membership.ts';
import { createTeam, findTeam, findTeamOf, listTeamMembers, listTeams } from './teams.ts';

describeStores('a team', (store) => {
  async function addAccount(): Promise<{ accountId: string; email: string }> {
    const createdAtMs = nextMs();
    const accountId = newId(createdAtMs);
    const email = `${accountId.toLowerCase()}@example.org`;
    await store.database.run(createAccount, { accountId, email, plan: 'pro', locale: 'en', createdAtMs });
    return { accountId, email };
  }

  async function addTeam(name = 'Research') {
    const owner = await addAccount();
    const now = nextMs();
    const { id } = await store.database.run(createTeam, {
      teamId: newId(now),
      name,
      ownerId: owner.accountId,
      now,
      actor: 'operator',
    });
    return { teamId: id, owner };
  }

  const change = (teamId: string, actorId: string | null) => ({ teamId, actorId, actor: 'test', now: nextMs() });

  async function join(teamId: string, role: 'admin' | 'member' = 'member') {
    const account = await addAccount();
    const digest = `digest-${account.accountId}`;
    await store.database.run(inviteMember, { ...change(teamId, null), email: account.email, role, digest });
    await store.database.run(acceptInvitation, { digest, accountId: account.accountId, actor: 'test', now: nextMs() });
    return account;
  }

  it('consists of its owner and of those who accept, once each, also for concurrent requests', async () => {
    const { teamId, owner } = await addTeam();
    const bob = await addAccount();
    const invite = { ...change(teamId, owner.accountId), email: bob.email, role: 'admin' as const, digest: 'd1' };
    expect(await store.database.run(inviteMember, invite)).toEqual({ expiresAtMs: invite.now + invitationTtlMs });
    const accept = { digest: 'd1', accountId: null, actor: 'operator', now: nextMs() };
    const attempts = [store.database, ...store.others].map((database) => database.run(acceptInvitation, accept));
    const settled = await Promise.allSettled(attempts);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = settled.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'not_found' });
    const members = await store.database.run(listTeamMembers, { teamId, actorId: bob.accountId });
    expect(members).toMatchObject([
      { accountId: owner.accountId, role: 'owner' },
      { accountId: bob.accountId, role: 'admin', email: bob.email },
    ]);
    expect(await store.database.run(findTeamOf, bob.accountId)).toMatchObject({ id: teamId, role: 'admin' });
    expect(await store.database.run(listTeams, { afterId: '', limit: 5 })).toMatchObject([{ id: teamId, memberCount: 2 }]);
  });

  it('rejects invitations that were replaced, have expired or are for somebody else', async () => {
    const { teamId, owner } = await addTeam();
    const [bob, eve] = [await addAccount(), await addAccount()];
    const invite = (digest: string) =>
      store.database.run(inviteMember, { ...change(teamId, owner.accountId), email: bob.email, role: 'member', digest });
    const accept = (digest: string, accountId: string | null, laterMs = 0) =>
      store.database.run(acceptInvitation, { digest, accountId, actor: 'test', now: nextMs() + laterMs });
    await invite('first');
    await invite('second');
    await expect(accept('first', bob.accountId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(accept('second', eve.accountId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(accept('second', bob.accountId, invitationTtlMs)).rejects.toMatchObject({ code: 'not_found' });
    expect(await accept('second', bob.accountId)).toMatchObject({ teamId, role: 'member' });
    await expect(invite('third')).rejects.toMatchObject({ code: 'failed_precondition' });
  });

  it('keeps the invitation of a person without an account', async () => {
    const { teamId } = await addTeam();
    await store.database.run(inviteMember, { ...change(teamId, null), email: 'new@example.org', role: 'member', digest: 'd' });
    const accept = () => store.database.run(acceptInvitation, { digest: 'd', accountId: null, actor: 'x', now: nextMs() });
    await expect(accept()).rejects.toMatchObject({ code: 'failed_precondition' });
    const createdAtMs = nextMs();
    const accountId = newId(createdAtMs);
    await store.database.run(createAccount, { accountId, email: 'new@example.org', plan: 'pro', locale: 'en', createdAtMs });
    expect(await accept()).toMatchObject({ accountId });
  });

  it('can be changed by its owner and admins only, and does not exist for strangers', async () => {
    const { teamId, owner } = await addTeam();
    const [admin, member, stranger] = [await join(teamId, 'admin'), await join(teamId), (await addTeam('Other')).owner];
    const target = await join(teamId);
    const actions = (actorId: string) => [
      store.database.run(inviteMember, {
        ...change(teamId, actorId),
        email: 'x@example.org',
        role: 'member',
        digest: `d${actorId}`,
      }),
      store.database.run(changeRole, { ...change(teamId, actorId), accountId: target.accountId, role: 'member' }),
      store.database.run(removeMember, { ...change(teamId, actorId), accountId: owner.accountId }),
    ];
    const codesFor = async ({ accountId }: { accountId: string }) =>
      (await Promise.allSettled(actions(accountId))).map((result) =>
        result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code,
      );
    expect(await codesFor(admin)).toEqual(['done', 'done', 'failed_precondition']);
    expect(await codesFor(member)).toEqual(['permission_denied', 'permission_denied', 'permission_denied']);
    expect(await codesFor(stranger)).toEqual(['not_found', 'not_found', 'not_found']);
    await expect(store.database.run(listTeamMembers, { teamId, actorId: stranger.accountId })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is found by its name if that is unique', async () => {
    const one = await addTeam('Twins');
    expect(await store.database.run(findTeam, 'Twins')).toMatchObject({ id: one.teamId });
    await addTeam('Twins');
    await expect(store.database.run(findTeam, 'Twins')).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await store.database.run(findTeam, one.teamId)).toMatchObject({ name: 'Twins' });
    await expect(store.database.run(findTeam, 'Nobody')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('adds events to the security records of everyone concerned', async () => {
    const { teamId, owner } = await addTeam();
    const bob = await join(teamId);
    await store.database.run(removeMember, { ...change(teamId, owner.accountId), accountId: bob.accountId });
    const kindsOf = async ({ accountId }: { accountId: string }) =>
      (await store.database.run(listSecurityEvents, { accountId, beforeId: null, limit: 10 })).map(({ kind }) => kind);
    expect(await kindsOf(owner)).toEqual(['team_invited', 'team_created', 'account_created']);
    expect(await kindsOf(bob)).toEqual(['team_left', 'team_joined', 'account_created']);
  });
});
