import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presentPublicKey, signMessage } from '../../src/rules/webhooks/webhook-signature.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const hasRequests = await run('python3', ['-c', 'import requests']).then(
  () => true,
  () => false,
);
const hasJq = await run('jq', ['--version']).then(
  () => true,
  () => false,
);

/** The blocks of a page in one language, as its readers would copy them. */
function readBlocks(page: string, language: string): string[] {
  const text = readFileSync(path.join(checkout, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
}

describe('the examples of the documentation', () => {
  let service: LocalService;
  const folder = createFolder('docs');
  beforeAll(async () => {
    service = await LocalService.start({ env: { ERRAND_RATE_LIMITS: 'off' } });
  });
  afterAll(async () => {
    await service.end();
    removeFolder(folder);
  });

  const environment = (more: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    URL: service.url,
    KEY: service.apiKey,
    ERRAND_API_KEY: service.apiKey,
    ...more,
  });

  /** What a shell prints that stops at the first mistake. */
  async function runShell(script: string, more: Record<string, string> = {}): Promise<string> {
    const here = script.replaceAll('http://localhost:7070', service.url);
    const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', here], {
      cwd: folder,
      env: environment(more),
      timeout: 800_000,
    });
    return stdout;
  }

  /** A script beside nobody's packages: those that it names are found where they are. */
  function writeScript(name: string, text: string): string {
    const places: Record<string, string> = {
      '@errand/client': new URL('../../packages/client/src/index.ts', import.meta.url).href,
      openai: import.meta.resolve('openai'),
    };
    const script = text
      .replaceAll(/ from '([^']+)'/g, (whole, named: string) => (places[named] ? ` from '${places[named]}'` : whole))
      .replaceAll('http://localhost:7070', service.url);
    const file = path.join(folder, name);
    writeFileSync(file, script);
    return file;
  }

  async function runScript(name: string, text: string): Promise<string> {
    const { stdout } = await run(process.execPath, [writeScript(name, text)], { env: environment(), timeout: 800_000 });
    return stdout;
  }

  it('of README.md make a key, create a task, list what was said and follow it', async () => {
    const block = readBlocks('README.md', 'sh').find((text) => text.includes('/v2/task.create')) ?? '';
    // A stream continues until its reader leaves.
    const curlFunction = `curl() { command curl -s -m 3 "$@" || test $? = 28; }\n`;
    const launcher = JSON.stringify(path.join(checkout, 'bin/errand'));
    const output = await runShell(curlFunction + block.replace('bin/errand', `sh ${launcher}`), {
      KEY: '',
      ERRAND_DATA_DIR: service.dataDir,
    });
    expect(output).toContain('"ok":true');
    expect(output).toMatch(/^id: \w+$/m);
  });

  it('of docs/build/files.md upload a file', async () => {
    const [block = ''] = readBlocks('docs/build/files.md', 'sh');
    const [announce = '', send = ''] = block.trim().split('\n');
    const { upload_url, file } = JSON.parse(await runShell(announce)) as { upload_url: string; file: { id: string } };
    writeFileSync(path.join(folder, 'sales.csv'), 'a,b\n');
    await runShell(send, { UPLOAD_URL: upload_url });
    const seen = await runShell(`curl -s "$URL/v2/file.detail?file_id=${file.id}" -H "x-service-api-key: $KEY"`);
    expect(JSON.parse(seen)).toMatchObject({ file: { status: 'uploaded', bytes: 4 } });
  });

  it('of docs/build/requests.md list what was refused', async () => {
    const [block = ''] = readBlocks('docs/build/requests.md', 'sh');
    expect(JSON.parse(await runShell(block))).toMatchObject({ ok: true, data: [], has_more: false });
  });

  it('of docs/build/client.md and docs/build/v1-and-openai.md work', async () => {
    expect(await runScript('client.mts', readBlocks('docs/build/client.md', 'ts')[0] ?? '')).toMatch(/^stopped .*hello\.md/);
    expect(await runScript('legacy.mts', readBlocks('docs/build/v1-and-openai.md', 'ts')[0] ?? '')).toMatch(
      /^(running|completed) /,
    );
  });

  it.skipIf(!hasJq)('of docs/start/quickstart.md work in a shell', async () => {
    const output = await runShell(readBlocks('docs/start/quickstart.md', 'sh').join('\n'));
    expect(output).toContain('Hello from the shell\n');
    expect(output).toContain('"agent_status":"stopped"');
    expect(output).toMatch(/"task_id":"\w{22}"/);
    expect(output).toMatch(/\{\s*"company": "Acme"\s*\}\s*$/);
  });

  it('of docs/start/quickstart.md work in TypeScript, its receiver of webhooks too', async () => {
    const [block = ''] = readBlocks('docs/start/quickstart.md', 'ts');
    const output = await runScript('quickstart.mts', block);
    expect(output).toMatch(/^Hello from TypeScript\nuser_message\n/);
    expect(output).toMatch(/I have the file\n\{ company: 'Acme' \}\n$/);

    const key = {
      rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
      ed25519: generateKeyPairSync('ed25519').privateKey,
      createdAtMs: 1,
    };
    const receiver = `const public_key = ${JSON.stringify(presentPublicKey(key).rsaPem)};\n${block.slice(block.indexOf('export async'))}`;
    const file = writeScript('receiver.mts', `import { verifyWebhook } from '@errand/client';\n${receiver}`);
    const { receive } = (await import(file)) as { receive(request: Request, url: string): Promise<Response> };
    const [url, body] = ['https://hooks.example.com/errand', '{"event_id":"task_created_1"}'];
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = await signMessage({ eventId: 'task_created_1', url, body, timestamp }, [key]);
    const ask = async (sent: string) => (await receive(new Request(url, { method: 'POST', headers, body: sent }), url)).status;
    expect([await ask(body), await ask(`${body} `)]).toEqual([204, 401]);
  });

  it.skipIf(!hasRequests)('of docs/start/quickstart.md work in Python', async () => {
    const file = path.join(folder, 'quickstart.py');
    writeFileSync(file, readBlocks('docs/start/quickstart.md', 'python')[0] ?? '');
    const { stdout } = await run('python3', [file], { env: environment(), timeout: 800_000 });
    expect(stdout).toMatch(/^Hello from Python\nuser_message\n/);
    expect(stdout).toMatch(/\{'company': 'Acme'\}\n$/);
  });
});
