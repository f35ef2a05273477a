import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/api/index.ts';
import { legacyOperations } from '../../src/legacy/index.ts';
import { type OpenStore, openStore } from '../support/db/databases.ts';
import { ApiUnderTest } from '../support/http/api-under-test.ts';
import { idleWebhookService } from '../support/webhooks/idle-webhook-service.ts';

const run = promisify(execFile);

function unescape(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replaceAll(/&([a-z]+|#39);/g, (whole, name: string) => entities[name] ?? whole);
}

/**
 * The status of each answer to commands of curl. A shell reads them all, and one curl sends what each says: a program that is
 * started for each request costs more than the request.
 */
async function runAll(commands: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const definition = `curl() { printf '%s\\0' --next -s -m 300 -o /dev/null -w '%{http_code}\\n' "$@"; }`;
  const { stdout } = await run('sh', ['-c', [definition, ...commands].join('\n')], { env });
  const [, ...args] = stdout.split('\0').slice(0, -1);
  return (await run('curl', args, { env })).stdout.trimEnd().split('\n');
}

/** How a command that is understood is refused: its ids are nobody's, and the account is in no team and has no instance key. */
function refusal(command: string): string {
  return /usage\.team|\/instance\./.test(command) ? '403' : '404';
}

describe('the reference page', () => {
  let store: OpenStore;
  let api: ApiUnderTest;
  let page: string;
  beforeAll(async () => {
    store = await openStore('sqlite');
    const publicKeys = () => Promise.resolve([{ createdAtMs: 1, rsaPem: 'pem', standard: 'whpk_' }]);
    const webhooks = { ...idleWebhookService, publicKeys, rotateKeys: publicKeys };
    api = await ApiUnderTest.start(store.database, { webhooks });
    page = await (await api.fetch('/reference', {}, { key: null })).text();
  });
  afterAll(async () => {
    await api.stop();
    await store.close();
  });

  it('documents every operation, runs nothing, and loads nothing but the typeface', async () => {
    const { status, headers } = await api.fetch('/reference', { method: 'HEAD' }, { key: null });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^ ]+'; font-src 'self'; form-action 'self';/,
    );
    for (const { name, path } of operations)
      expect([name, page.includes(`id="${name}"`), page.includes(path)]).toEqual([name, true, true]);
    for (const { path } of legacyOperations) expect(page).toContain(path.replaceAll(/:(\w+)/g, '{$1}'));
    expect(page).not.toMatch(/<script|<img|<link(?! rel="preload" as="font")|\son\w+=|style="|src=/);
  });

  it('lists every operation in the navigation, and applies the style sheet that its policy allows', async () => {
    const nav = /<nav class="subjects".*?<\/nav>/s.exec(page)?.[0] ?? '';
    for (const { name } of operations) expect([name, nav.includes(`href="#${name}"`)]).toEqual([name, true]);
    const { headers } = await api.fetch('/reference', { method: 'HEAD' }, { key: null });
    const sheet = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(sheet).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
  });

  it('has no broken links', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });

  it('has valid commands', async () => {
    const commands = [...page.matchAll(/<pre class="secret">(.*?)<\/pre>/gs)].map(([, text = '']) => unescape(text));
    expect(commands).toHaveLength(operations.length + legacyOperations.length);
    const env = { ...process.env, KEY: api.owner.key };
    const wrong: string[] = [];
    const statuses = await runAll(commands, env);
    expect(statuses).toHaveLength(commands.length);
    for (const [at, command] of commands.entries()) {
      const status = statuses[at] ?? '';
      if (!['200', refusal(command)].includes(status)) wrong.push(`${status} ${command}`);
    }
    expect(wrong).toEqual([]);
  });
});
