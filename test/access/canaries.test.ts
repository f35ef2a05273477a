import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createLog } from '@errand/base/log.ts';
import { type Json } from '../support/http/api-under-test.ts';
import { OauthUnderTest, password } from '../support/oauth/oauth-under-test.ts';
import { describeStores } from '../support/db/databases.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

const migrations = new URL('../../migrations/', import.meta.url);

function listTables(): string[] {
  const text = readdirSync(migrations).map((name) => readFileSync(new URL(name, migrations), 'utf8'));
  return [...text.join('\n').matchAll(/CREATE TABLE (\w+)/g)].flatMap(([, name]) => name ?? []);
}

describeStores('a secret', (store) => {
  it('that was shown, sent or set is in no table and no log line', async () => {
    const lines: string[] = [];
    const stream = new PassThrough();
    stream.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
    await using oauth = await OauthUnderTest.start(store.database, { log: createLog('trace', stream) });
    const operate = async (name: string, body: Json) =>
      (await oauth.api.http.inject({ method: 'POST', path: `/admin/${name}`, body, account: oauth.api.owner.accountId })).body;
    const app = await oauth.addApp();
    const code = await oauth.obtainCode(app);
    const tokens = (await oauth.redeem(app, code)).body;
    const renewed = (await oauth.refresh(app, String(tokens.refresh_token))).body;
    const browser = oauth.browser();
    await browser.signIn(oauth.email, password);
    const another = await operate('account.create', { email: 'canary@example.com', password: 'canary in the coal mine' });
    const key = await operate('key.create', { name: 'canary' });
    await operate('team.create', { name: 'Canaries' });
    const invited = await operate('team.invite', { team: 'Canaries', email: 'bird@example.com' });
    await oauth.api.call('task.list', {}, { key: String(key.api_key) });
    await oauth.api.call('task.list', { cursor: String(key.api_key) });
    await oauth.api.call('task.list', {}, { key: null, headers: { authorization: `Basic ${String(key.api_key)}` } });
    await oauth.isLive(String(renewed.access_token));
    const secrets: Record<string, unknown> = {
      'first key': oauth.api.owner.key,
      'new key': key.api_key,
      'key of an account': another.api_key,
      password,
      'other password': 'canary in the coal mine',
      'secret of an app': app.secret,
      code: code.code,
      'access token': tokens.access_token,
      'refresh token': tokens.refresh_token,
      'renewed access token': renewed.access_token,
      'renewed refresh token': renewed.refresh_token,
      'invitation token': invited.token,
      'session cookie': [...browser.cookies.values()].find((value) => value.length > 60),
    };
    const kept: string[] = [];
    for (const table of listTables()) {
      for (const row of await store.query(`SELECT * FROM ${table}`)) kept.push(`${table} ${JSON.stringify(row)}`);
    }
    expect(kept.some((row) => row.includes('canary@example.com'))).toBe(true);
    expect(lines.join('')).toContain('/admin/key.create');
    for (const [name, secret] of Object.entries(secrets)) {
      expect([name, typeof secret, String(secret).length > 7]).toEqual([name, 'string', true]);
      for (const place of [...kept, ...lines]) {
        if (place.includes(String(secret))) throw new Error(`the ${name} appears in ${place.slice(0, 300)}`);
      }
    }
  });
});

it('a secret in the settings, and a signing key, is in no file of the data folder and in nothing the service writes', async () => {
  const settings = {
    ERRAND_BOOTSTRAP_KEY: 'sk-canary-of-the-first-key-0123456789',
    ERRAND_BOOTSTRAP_PASSWORD: 'canary-of-the-first-password',
    ERRAND_SECRET: 'canary-of-the-secret-that-encrypts-0123456789',
    ERRAND_MODEL_API_KEY: 'canary-of-the-model-key',
  };
  const service = await ServiceProcess.start({ env: { ...settings, ERRAND_LOG: 'trace' } });
  const headers = { 'x-service-api-key': settings.ERRAND_BOOTSTRAP_KEY, 'content-type': 'application/json' };
  expect((await fetch(`${service.url}/v2/webhook.publicKey`, { headers })).status).toBe(200);
  const body = JSON.stringify({ message: { content: 'say hello' } });
  expect((await fetch(`${service.url}/v2/task.create`, { method: 'POST', headers, body })).status).toBe(200);
  expect(service.lines.map(({ text }) => text).join()).toContain('"security_event":"account_created"');
  await service.kill('SIGKILL');
  const files = readdirSync(service.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const places: [string, string][] = files.map((file) => {
    const path = join(file.parentPath, file.name);
    return [path, readFileSync(path, 'latin1')];
  });
  expect(places.map(([path]) => path).join()).toContain('errand.db-wal');
  places.push(['its output', service.lines.map(({ text }) => text).join('\n')]);
  for (const [place, text] of places) {
    for (const secret of [...Object.values(settings), 'PRIVATE KEY', 'whsk_'])
      expect([place, text.includes(secret)]).toEqual([place, false]);
  }
});
