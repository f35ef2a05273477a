import { chmodSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { runErrand } from '../../src/cli/index.ts';
import { someText } from '../support/http/matchers.ts';
import { OauthUnderTest, password } from '../support/oauth/oauth-under-test.ts';
import { describeStores } from '../support/db/databases.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { TestHost } from '../support/cli/test-shell.ts';
import { readForm } from '../support/http/scriptless-browser.ts';

/** A clock with short pauses and unchanged timeouts. */
const clock: Clock = {
  ...systemClock,
  setTimer: (run, delayMs) => systemClock.setTimer(run, delayMs < 20_000 ? delayMs / 20 : delayMs),
};

describeStores('the command line', (store) => {
  let oauth: OauthUnderTest;
  let home = '';
  const folder = () => join(home, '.config', 'errand', 'sign-ins');
  let url = '';
  const file = () => join(folder(), `${encodeURIComponent(url)}.json`);
  const stored = () => JSON.parse(readFileSync(file(), 'utf8')) as { access_token: string; refresh_token: string };

  beforeEach(async () => {
    oauth = await OauthUnderTest.start(store.database);
    url = oauth.url;
    home = createFolder('home');
  });
  afterEach(async () => {
    await oauth[Symbol.asyncDispose]();
    removeFolder(home);
  });

  function start(argv: readonly string[], env: Record<string, string> = {}) {
    const host = new TestHost({ HOME: home, ERRAND_URL: url, ...env }, { clock });
    return { host, ended: runErrand(argv, host) };
  }

  async function run(argv: readonly string[], env: Record<string, string> = {}) {
    const { host, ended } = start(argv, env);
    return { code: await ended, stdout: host.stdout.text, stderr: host.stderr.text };
  }

  async function login(decision: 'allow' | 'deny' = 'allow', argv: readonly string[] = ['login', '--json']) {
    const { host, ended } = start(argv);
    const shown = /Open (\S+)\n.*the code ([A-Z-]+)\./;
    await expect.poll(() => shown.test(host.stderr.text)).toBe(true);
    const [, address = '', code = ''] = shown.exec(host.stderr.text) ?? [];
    const { pathname, search } = new URL(address);
    const browser = oauth.browser();
    const question = await browser.submit(await browser.signIn(oauth.email, password, pathname + search), '/device');
    expect(question.text).toContain('Errand command line');
    expect(question.text).toContain(code);
    await browser.post('/device', { ...readForm(question.text, '/device'), decision });
    return { code: await ended, stdout: host.stdout.text, stderr: host.stderr.text };
  }

  it('is signed in by its user in a browser, works without a key, and is signed out permanently', async () => {
    const { code, stdout } = await login();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ url: oauth.url, scope: someText(/manage_all_tasks/), file: file() });
    expect([statSync(file()).mode & 0o777, statSync(folder()).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(folder())).toHaveLength(1);

    const created = await run(['task', 'create', 'say hello']);
    expect(created).toMatchObject({ code: 0, stdout: someText(/^[0-9A-Za-z]{22}\n$/) });
    const id = created.stdout.trim();
    expect((await oauth.api.call('task.detail', { task_id: id })).body.task).toMatchObject({ title: 'say hello' });
    expect((await run(['task', 'stop', id])).code).toBe(0);
    expect(await run(['task', 'watch', id])).toMatchObject({ code: 0, stdout: someText(/stopped by the user/) });
    expect(await run(['key', 'list'])).toMatchObject({ code: 1, stderr: someText(/remote clients may not do this/) });
    // Never an application's (docs/reference/choices.md#access).
    expect(await run(['webhook', 'list'])).toMatchObject({ code: 1, stderr: someText(/OAuth tokens are not supported here/) });

    const { access_token: token } = stored();
    expect(await run(['logout', '--json'])).toMatchObject({ code: 0, stdout: `{"url":"${oauth.url}","revoked":true}\n` });
    expect([await oauth.isLive(token), existsSync(file())]).toEqual([false, false]);
    expect(await run(['task', 'list'])).toMatchObject({ code: 78, stderr: someText(/ERRAND_API_KEY: .*or run errand login/) });
    expect(await run(['logout'])).toMatchObject({ code: 1, stderr: someText(/nobody is signed in/) });
  });

  it('refreshes its tokens once before they expire, also for concurrent commands', async () => {
    await login();
    const first = stored();
    writeFileSync(file(), JSON.stringify({ ...first, expires_at: Math.floor(systemClock.now() / 1000) + 30 }));
    // A command that was killed in the middle of an exchange has left this.
    writeFileSync(`${file()}.lock`, '');
    const longAgo = new Date(systemClock.now() - 60_000);
    utimesSync(`${file()}.lock`, longAgo, longAgo);
    const lists = await Promise.all(Array.from({ length: 5 }, () => run(['task', 'list'])));
    expect(lists.map(({ code, stderr }) => [code, stderr])).toEqual(lists.map(() => [0, 'no tasks\n']));
    const second = stored();
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect([await oauth.isLive(first.access_token), await oauth.isLive(second.access_token)]).toEqual([false, true]);
    expect([statSync(file()).mode & 0o777, readdirSync(folder()).length]).toEqual([0o600, 1]);

    await oauth.token({ client_id: 'errand-cli', token: second.access_token }, {}, '/oauth/revoke');
    expect(await oauth.isLive(second.access_token)).toBe(false);
    expect((await run(['task', 'list'])).code).toBe(0);
    expect(stored().access_token).not.toBe(second.access_token);

    const browser = oauth.browser();
    await browser.signIn(oauth.email, password);
    expect((await browser.call('connection.disconnect', { client_id: 'errand-cli' })).status).toBe(200);
    expect(await run(['task', 'list'])).toMatchObject({ code: 1, stderr: someText(/has ended: run errand login --url http/) });
    expect(existsSync(file())).toBe(false);
  });

  it('is not signed in when its user denies it, or when it is interrupted', async () => {
    expect(await login('deny', ['login'])).toMatchObject({ code: 1, stdout: '', stderr: someText(/not allowed at the browser/) });
    const { host, ended } = start(['login']);
    await expect.poll(() => host.stderr.text).toContain('Waiting');
    host.interrupt.abort();
    expect([await ended, existsSync(file())]).toEqual([130, false]);
  });

  it('keeps tokens that it cannot revoke, ends an earlier sign-in with a new one, and reads no file that others can read', async () => {
    expect((await login('allow', ['login'])).stdout).toBe(`signed in to ${oauth.url}\n`);
    const first = stored();
    await login();
    expect([await oauth.isLive(first.access_token), await oauth.isLive(stored().access_token)]).toEqual([false, true]);
    chmodSync(file(), 0o644);
    expect(await run(['task', 'list'])).toMatchObject({ code: 1, stderr: someText(/can be read by others/) });
    chmodSync(file(), 0o600);
    expect((await run(['task', 'list'], { ERRAND_API_KEY: 'sk-unknown' })).code).toBe(1);
    await oauth.api.http.stop();
    expect(await run(['logout'])).toMatchObject({ code: 1, stderr: someText(/cannot reach .*; still signed in/) });
    expect(existsSync(file())).toBe(true);
    expect((await run(['login', '--url', 'no address'])).code).toBe(64);
    expect((await run(['login'], { ERRAND_URL: '' })).code).toBe(64);
    expect((await run(['login'], { HOME: '' })).code).toBe(1);
  });
});
