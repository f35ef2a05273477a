import { describe, expect, it } from 'vitest';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { newId } from '@errand/base/ids.ts';
import { sealedPlaces } from '../../src/rules/instance/sealed-places.ts';
import { listSealed, replaceSealed } from '../../src/store/instance/sealed-values.ts';
import { openContentKey } from '../../src/store/instance/content-key.ts';
import { openBox } from '../../src/store/instance/open-sealed-box.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';
import { ServiceClient } from '../support/service/service-client.ts';

const [before, after] = ['the secret of before, long enough', 'the secret from now on, long enough'];

describeStores('a new secret of the instance', (store) => {
  const open = (secret: string, previous: string | null = null) =>
    openBox(store.database, { secret, previous, dataDir: createFolder('secret'), isShared: false });

  /** A sealed text in each sealed column of every table, with its place. */
  async function fill(box: SealedBox, accountId: string, webhooks: number) {
    const [connector, trigger] = [newId(1), newId(2)];
    const seal = (place: string) => box.seal(`text of ${place}`, place);
    const key = (column: string) => seal(sealedPlaces.signingKey(7, column));
    await store.query(
      'INSERT INTO signing_keys (generation, rsa, ed25519, created_at) VALUES (7, ?, ?, 1)',
      key('rsa'),
      key('ed25519'),
    );
    const hookIds = Array.from({ length: webhooks }, (_, at) => newId(1000 + at));
    for (const id of hookIds) {
      await store.query(
        `INSERT INTO webhooks (account_id, id, url, face, status, created_at, secret, previous_secret, previous_secret_until)
         VALUES (?, ?, ?, 'v2', 'active', 1, ?, ?, 1)`,
        ...[accountId, id, `https://${id}.example.com`, seal(sealedPlaces.webhook(id)), seal(sealedPlaces.webhook(id))],
      );
    }
    const ofConnector = sealedPlaces.connector(accountId, connector);
    await store.query(
      `INSERT INTO connectors (account_id, id, name, description, category, url, headers, oauth, tools, is_default, checked_at, created_at)
       VALUES (?, ?, 'n', '', '', 'https://c.example.com', ?, ?, '[]', 0, 1, 1)`,
      ...[accountId, connector, seal(ofConnector), seal(ofConnector)],
    );
    await store.query(
      `INSERT INTO triggers (account_id, id, name, status, verification, secret, token, token_digest, filter, request, conversation, created_at, updated_at)
       VALUES (?, ?, 'n', 'active', 'secret', ?, ?, 'd', '[]', '{}', 'new', 1, 1)`,
      ...[accountId, trigger, seal(sealedPlaces.trigger(trigger, 'secret')), seal(sealedPlaces.trigger(trigger, 'token'))],
    );
    const authenticator = newId(4);
    await store.query(
      'INSERT INTO authenticators (account_id, id, secret, created_at) VALUES (?, ?, ?, 1)',
      ...[accountId, authenticator, seal(sealedPlaces.authenticator(authenticator))],
    );
    const subscription = newId(3);
    await store.query(
      `INSERT INTO push_subscriptions (account_id, id, session_id, endpoint_digest, target, created_at) VALUES (?, ?, 's', 'd', ?, 1)`,
      ...[accountId, subscription, seal(sealedPlaces.pushTarget(subscription))],
    );
    const ofModel = sealedPlaces.modelKey('service-1.6');
    await store.query(
      "INSERT INTO model_settings (profile, models, sealed_key, revision, changed_at) VALUES ('service-1.6', 'offline/offline-1', ?, '1', 1)",
      seal(ofModel),
    );
    const ofAccountModel = sealedPlaces.accountModelKey(accountId, 'service-1.6');
    await store.query(
      "INSERT INTO model_keys (account_id, id, models, sealed_key, revision, changed_at) VALUES (?, 'service-1.6', 'openai/gpt-5', ?, '1', 1)",
      ...[accountId, seal(ofAccountModel)],
    );
    return async (opened: SealedBox): Promise<number> => {
      let count = 0;
      const check = (place: string, values: unknown[]) => {
        for (const value of values) {
          expect(opened.open(String(value), place)).toBe(`text of ${place}`);
          count += 1;
        }
      };
      const [keys] = await store.query('SELECT rsa, ed25519 FROM signing_keys');
      for (const column of ['rsa', 'ed25519'] as const) check(sealedPlaces.signingKey(7, column), [keys?.[column]]);
      for (const row of await store.query('SELECT id, secret, previous_secret FROM webhooks')) {
        check(sealedPlaces.webhook(String(row.id)), [row.secret, row.previous_secret]);
      }
      const [link] = await store.query('SELECT headers, oauth FROM connectors');
      check(ofConnector, [link?.headers, link?.oauth]);
      const [sender] = await store.query('SELECT secret, token FROM triggers');
      for (const column of ['secret', 'token'] as const) check(sealedPlaces.trigger(trigger, column), [sender?.[column]]);
      const [app] = await store.query('SELECT secret FROM authenticators');
      check(sealedPlaces.authenticator(authenticator), [app?.secret]);
      const [browser] = await store.query('SELECT target FROM push_subscriptions');
      check(sealedPlaces.pushTarget(subscription), [browser?.target]);
      const [own] = await store.query('SELECT sealed_key FROM model_keys');
      check(ofAccountModel, [own?.sealed_key]);
      const models = await store.query('SELECT sealed_key FROM model_settings');
      check(
        ofModel,
        models.map((row) => row.sealed_key),
      );
      return count;
    };
  }

  async function resealAll(box: SealedBox): Promise<Json[]> {
    await using api = await ApiUnderTest.start(store.database, { seal: box });
    const pages: Json[] = [];
    for (let cursor: unknown, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const body = cursor === undefined ? {} : { cursor };
      const answer = await api.http.inject({ method: 'POST', path: '/admin/operator.resealSecrets', body });
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      pages.push(answer.body);
      cursor = answer.body.next_cursor;
    }
    return pages;
  }

  it('opens all that the one before sealed, in every table, and alone once all of it is sealed anew', async () => {
    const old = await open(before);
    if (!old) throw new Error('no box');
    const contentKey = await openContentKey(store.database, old);
    const check = await fill(old, newId(1), 230);
    await expect(open(after)).rejects.toMatchObject({ message: expect.stringContaining('ERRAND_SECRET_PREVIOUS') as unknown });
    const both = await open(after, before);
    if (!both) throw new Error('no box');
    expect(await check(both)).toBe(470);
    expect(await openContentKey(store.database, both)).toEqual(contentKey);
    // Until the last page is done, nobody may start without the secret before.
    const pages = await resealAll(both);
    expect(pages.map(({ resealed }) => resealed)).toEqual([2, 400, 60, 2, 2, 1, 1, 1, 1, 2]);
    const alone = await open(after);
    if (!alone) throw new Error('no box');
    expect(await check(alone)).toBe(470);
    expect(await openContentKey(store.database, alone)).toEqual(contentKey);
    await expect(open(before)).rejects.toMatchObject({ name: 'StartFault' });
    // A repeat finds nothing to do.
    expect((await resealAll(both)).map(({ resealed }) => resealed)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const events = await store.query("SELECT kind FROM security_events WHERE account_id = 'instance'");
    expect(events.filter(({ kind }) => kind === 'secrets_resealed')).toHaveLength(2);
  });

  it('leaves alone what was sealed meanwhile', async () => {
    const old = await open(before);
    if (!old) throw new Error('no box');
    await fill(old, newId(1), 1);
    const { values } = await store.database.run(listSealed, { table: 'webhooks', after: null, limit: 10 });
    await store.query("UPDATE webhooks SET secret = 'sealed meanwhile'");
    const changes = values.map(({ sealed, ...value }) => ({ ...value, before: sealed, after: 'anew' }));
    const replace = { table: 'webhooks', values: changes, isLast: false, actor: 'operator', now: 1 } as const;
    expect(await store.database.run(replaceSealed, replace)).toBe(1);
    expect(await store.query('SELECT secret, previous_secret FROM webhooks')).toEqual([
      { secret: 'sealed meanwhile', previous_secret: 'anew' },
    ]);
  });

  it('refuses starts without the one before while a resealing was interrupted, and names what neither opens', async () => {
    const old = await open(before);
    if (!old) throw new Error('no box');
    const accountId = newId(1);
    await fill(old, accountId, 1);
    await store.query("UPDATE connectors SET oauth = 'v1.damaged'");
    const both = await open(after, before);
    if (!both) throw new Error('no box');
    await using api = await ApiUnderTest.start(store.database, { seal: both });
    const inject = (body: Json) => api.http.inject({ method: 'POST', path: '/admin/operator.resealSecrets', body });
    expect((await inject({})).body).toMatchObject({ resealed: 2, next_cursor: 'webhooks' });
    await expect(open(after)).rejects.toMatchObject({ name: 'StartFault' });
    const pages = await resealAll(both);
    expect(pages.flatMap(({ unreadable }) => unreadable)).toEqual([
      expect.stringMatching(new RegExp(`^connectors ${accountId} \\w+ \\(oauth\\)$`)),
    ]);
    expect((await inject({ cursor: 'accounts' })).body.error).toMatchObject({ code: 'invalid_argument', param: 'cursor' });
    expect(await open(after)).not.toBeNull();
  });
});

describe('a service whose secret was changed', () => {
  it('keeps its keys and the URLs of its triggers, first with both secrets, then with the new one alone', async () => {
    await using service = await LocalService.start({ env: { ERRAND_SECRET: before } });
    const client = new ServiceClient(service);
    const verification = { type: 'secret', secret: 'a-secret-of-the-sender', header: 'x-secret' };
    const made = await client.ask('trigger.create', { name: 'T', message_template: '{{body}}', verification });
    const { url, id } = made.trigger as { url: string; id: string };
    const know = async () => {
      const { trigger } = (await client.ask('trigger.detail', { trigger_id: id })) as { trigger: { url: string } };
      const keys = await (
        await fetch(`${service.url}/v2/webhook.publicKey`, { headers: { 'x-service-api-key': service.apiKey } })
      ).json();
      return [trigger.url, (keys as { public_key: string }).public_key];
    };
    const known = await know();
    expect(known[0]).toBe(url);
    await service.restart({ ERRAND_SECRET: after, ERRAND_SECRET_PREVIOUS: before });
    expect(await know()).toEqual(known);
    const cli = new CliUnderTest({ ERRAND_DATA_DIR: service.dataDir });
    expect((await cli.runJson(['secret', 'reseal'])).resealed).toBeGreaterThan(4);
    await service.restart({ ERRAND_SECRET_PREVIOUS: '' });
    expect(await know()).toEqual(known);
    const sent = await fetch(url, { method: 'POST', headers: { 'x-secret': 'a-secret-of-the-sender' }, body: '{"a":1}' });
    expect(sent.status).toBe(202);
  });
});
