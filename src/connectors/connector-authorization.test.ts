import { noCommandServers } from '../../test/support/connectors/idle-connectors.ts';
import { describe, expect, it } from 'vitest';
import { AgentUnderTest, call, inTurn, reply, say } from '../../test/support/tasks/agent-under-test.ts';
import { McpOauthFront } from '../../test/support/connectors/mcp-oauth-front.ts';
import { MemoryDatabase } from '../../test/support/db/memory-database.ts';
import { TestClock } from '../../test/support/base/test-clock.ts';
import { systemClock } from '@errand/base/clock.ts';
import { newUuid } from '@errand/base/ids.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { hashTool } from '../rules/connectors/connector.ts';
import { confirmAction } from '../store/tasks/confirmations.ts';
import { createConnector, getConnector, noteCheck } from '../store/connectors/connectors.ts';
import { ConnectorRegistry } from './connector-registry.ts';
import { listMcpTools, type McpHttpClient } from './mcp-client.ts';
import { SignInNeeded } from './mcp-fetch.ts';
import { findOauthServer, registerThere } from './mcp-oauth-client.ts';
import { ConnectorSignIns } from './connector-authorization.ts';

const local: McpHttpClient = { httpClient: createSafeFetch({ allow: ['127.0.0.0/8'], clock: systemClock }), allowHttp: true };
const box = new SealedBox('a secret of sign-in tests');
const redirectUri = 'https://errand.example/settings/connectors/callback';

async function open(front: McpOauthFront) {
  const clock = new TestClock();
  const database = new MemoryDatabase(clock);
  const key = { accountId: 'a1', connectorId: newUuid() };
  const about = { name: 'Garden', description: '', category: 'other', url: front.url, headers: null };
  const row = { ...key, ...about, tools: [], isDefault: true, signIn: 'needed' as const, problem: null, now: 1 };
  await database.run(createConnector, row);
  const parts = { database, clock, httpClient: local, box };
  const build = () => {
    const signIns = new ConnectorSignIns(parts);
    return { signIns, registry: new ConnectorRegistry({ stdio: noCommandServers, ...parts, signIns }) };
  };
  const { signIns, registry } = build();
  const begin = async () => {
    const back = new URL(await front.consent(await signIns.begin(key, redirectUri, signal)));
    const { state = '', code = '', iss } = Object.fromEntries(back.searchParams);
    return { state, code, iss };
  };
  const signIn = async () => signIns.finish(key, await begin());
  const look = () => registry.listTools(key, signal);
  return { clock, database, key, signIns, registry, build, begin, signIn, look };
}

const { signal } = new AbortController();

describe('a server that requires sign-in', () => {
  it('reports that, and the authorization server', async () => {
    await using front = await McpOauthFront.start();
    await expect(listMcpTools(local, { url: front.url, headers: {} }, signal)).rejects.toThrow(SignInNeeded);
    expect(await findOauthServer(local, front.url)).toMatchObject({ resource: front.url, scope: 'garden' });
    await expect(findOauthServer(local, front.inner.url)).rejects.toMatchObject({ code: 'failed_precondition' });
    const closed = { httpClient: createSafeFetch({ allow: [], clock: systemClock }), allowHttp: true };
    await expect(findOauthServer(closed, front.url)).rejects.toThrow(/public/);
  });

  it('is not asked any longer once the caller has left, wherever the sign-in stands', async () => {
    await using front = await McpOauthFront.start();
    const { key, database, clock } = await open(front);
    let asked = 0;
    const begin = async (leaveAt: number) => {
      asked = 0;
      const leaving = new AbortController();
      const request: McpHttpClient['httpClient']['request'] = (wanted) => {
        // Others are refused without being sent.
        if (wanted.signal?.aborted !== true) asked += 1;
        if (asked === leaveAt) leaving.abort(new Error('the caller has left'));
        return local.httpClient.request(wanted);
      };
      const signIns = new ConnectorSignIns({ database, clock, httpClient: { ...local, httpClient: { request } }, box });
      return signIns.begin(key, redirectUri, leaving.signal);
    };
    await begin(0);
    const requests = asked;
    for (let at = 1; at <= requests; at += 1) {
      database.query('UPDATE connectors SET oauth = NULL RETURNING id');
      await expect(begin(at)).rejects.toThrow();
      expect(asked).toBe(at);
    }
    expect(requests).toBeGreaterThan(2);
  });

  it('is used with tokens that nobody else can read', async () => {
    await using front = await McpOauthFront.start();
    const { look, signIn, database } = await open(front);
    await expect(look()).rejects.toThrow(SignInNeeded);
    await signIn();
    expect((await look()).map(({ name }) => name)).toContain('plant');
    const [row] = database.query('SELECT * FROM connectors');
    expect(JSON.stringify(row)).not.toContain('canary');
  });

  it('accepts each sign-in once, in time, and only for its own connector', async () => {
    await using front = await McpOauthFront.start();
    const { signIns, key, begin, clock } = await open(front);
    const returned = await begin();
    await expect(signIns.finish(key, { ...returned, state: `${returned.state}x` })).rejects.toThrow(/not started here/);
    // Another account that is redirected here with this response.
    await expect(signIns.finish({ ...key, accountId: 'b1' }, returned)).rejects.toMatchObject({ code: 'not_found' });
    await signIns.finish(key, returned);
    await expect(signIns.finish(key, returned)).rejects.toThrow(/not started here/);
    const late = await begin();
    await clock.advance(16 * 60_000);
    await expect(signIns.finish(key, late)).rejects.toThrow(/has expired/);
    await expect(signIns.finish(key, { ...(await begin()), iss: 'https://other.example' })).rejects.toThrow();
    // One registration serves all of them.
    expect(front.seen.filter((line) => line === 'POST /register')).toHaveLength(1);
  });

  it('refreshes tokens once for all requests, even across two processes', async () => {
    await using front = await McpOauthFront.start();
    const { look, signIn, build, key } = await open(front);
    await signIn();
    front.expire();
    await Promise.all([look(), look(), look()]);
    expect(front.seen.filter((line) => line.endsWith('refresh_token'))).toHaveLength(1);
    front.expire();
    const other = build().registry;
    const both = await Promise.allSettled([look(), other.listTools(key, signal)]);
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
    await look();
    await other.listTools(key, signal);
  });

  it('registers a loopback redirect as a native client, any other as a web client', async () => {
    await using front = await McpOauthFront.start();
    const server = await findOauthServer(local, front.url);
    const hosts = [
      'https://errand.example',
      'https://localhost.example',
      'http://localhost:8080',
      'http://127.0.0.1:1',
      'http://[::1]:1',
    ];
    for (const host of hosts) await registerThere(local, server, `${host}/settings/connectors/callback`);
    expect(front.kinds).toEqual(['web', 'web', 'native', 'native', 'native']);
  });

  it('that wants more scopes requires a sign-in for them, and says for which', async () => {
    await using front = await McpOauthFront.start();
    const { look, signIn, database, key } = await open(front);
    await signIn();
    await look();
    front.demand('water');
    await expect(look()).rejects.toMatchObject({ name: 'SignInNeeded', scope: 'garden water' });
    expect(await database.run(getConnector, key)).toMatchObject({
      signIn: 'needed',
      problem: expect.stringContaining('garden water') as string,
    });
    // Refreshing would give no more scopes, and the reason stays known.
    expect(front.seen.filter((line) => line.endsWith('refresh_token'))).toEqual([]);
    await expect(look()).rejects.toMatchObject({ name: 'SignInNeeded', scope: 'garden water' });
    await signIn();
    expect((await look()).map(({ name }) => name)).toContain('plant');
  });

  it('requires a new sign-in after ending one', async () => {
    await using front = await McpOauthFront.start();
    const { look, signIn, database, key } = await open(front);
    await signIn();
    front.revoke();
    await expect(look()).rejects.toThrow(SignInNeeded);
    expect(await database.run(getConnector, key)).toMatchObject({ signIn: 'needed' });
    await signIn();
    await look();
  });
});

describe('a task whose connector requires sign-in', () => {
  it('waits as connectorOauthExpired after a call that lacked scopes', async () => {
    await using front = await McpOauthFront.start();
    const { registry, signIn, look, database, key } = await open(front);
    await signIn();
    await database.run(noteCheck, { ...key, now: 2, tools: await look(), problem: null });
    const connectorTools = (await registry.offer(key.accountId, undefined)).map(({ named, tool }) => ({
      tool,
      hash: hashTool(named.tool),
    }));
    front.demand('water');
    const script = inTurn(
      reply(call('mcp__garden__add', 'c1', { a: 1, b: 2 })),
      reply(call('mcp__garden__add', 'c2', { a: 1, b: 2 })),
      say('Done.'),
    );
    const agent = await new AgentUnderTest({ script, connectorTools, isInteractive: true }).create();
    await agent.drive();
    const events = await agent.readEvents();
    expect(JSON.stringify(events)).toContain('for the scopes: garden water');
    expect(events.at(-1)).toMatchObject({ type: 'waiting', callId: 'c2', action: { kind: 'connectorOauthExpired' } });
    expect(front.inner.controls.calls).toEqual([]);
  });

  it('waits as connectorOauthExpired and resumes after sign-in', async () => {
    await using front = await McpOauthFront.start();
    const { registry, signIn, look, database, key } = await open(front);
    await signIn();
    await database.run(noteCheck, { ...key, now: 2, tools: await look(), problem: null });
    front.revoke();
    await expect(look()).rejects.toThrow(SignInNeeded);
    const connectorTools = (await registry.offer(key.accountId, undefined)).map(({ named, tool }) => ({
      tool,
      hash: hashTool(named.tool),
    }));
    const script = inTurn(reply(call('mcp__garden__add', 'c1', { a: 1, b: 2 })), say('Done.'));
    const agent = await new AgentUnderTest({ script, connectorTools, isInteractive: true }).create();
    await agent.drive();
    const events = await agent.readEvents();
    expect(events.at(-1)).toMatchObject({
      type: 'waiting',
      question: expect.stringContaining('/connectors') as string,
      action: { kind: 'connectorOauthExpired', schema: { properties: { accept: {} }, required: ['accept'] } },
    });
    await signIn();
    const seq = events.length - 1;
    await agent.database.run(confirmAction, {
      ...agent.task,
      now: agent.clock.now(),
      seq,
      input: { accept: true },
      grantedConnectors: null,
      decider: { actor: 'operator', accountId: agent.task.accountId },
    });
    await agent.drive();
    expect(front.inner.controls.calls).toEqual([{ tool: 'add', input: { a: 1, b: 2 } }]);
    expect(await agent.readStatus()).toBe('stopped');
  });
});
