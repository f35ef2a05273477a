import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { someText } from '../support/http/matchers.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { createDatabase, dropDatabase, PostgresServer } from '../support/db/postgres.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';
import { CliUnderTest, finish } from '../support/cli/cli-under-test.ts';

function parse(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}

describe('errand serve', () => {
  it('waits for a database that is starting, and is ready when that is', async () => {
    await using server = await PostgresServer.start();
    await server.kill();
    const cli = new CliUnderTest({ ERRAND_DATABASE_URL: server.url });
    const serving = await cli.start(['serve']);
    await serving.waitForLine(({ text }) => text.includes('"msg":"waiting up to 60 s for the database"'));
    await server.restart();
    await serving.waitForLine(({ text }) => text.includes('"msg":"ready"'));
    serving.signal('SIGTERM');
    expect((await serving.ended).code).toBe(0);
  });

  it('shows the first API key once, before it is ready, and never again', async () => {
    const cli = new CliUnderTest();
    const first = await cli.start([]);
    const ready = parse((await first.waitForLine(({ text }) => text.includes('"msg":"ready"'))).text);
    const keyLines = first.lines.filter(({ text }) => text.includes('first API key'));
    expect(keyLines).toHaveLength(1);
    const { api_key: key } = parse(keyLines[0]?.text ?? '{}');
    const answer = await fetch(`${String(ready.url)}/v2/task.list`, { headers: { 'x-service-api-key': String(key) } });
    expect(answer.status).toBe(200);
    first.signal('SIGTERM');
    expect((await first.ended).code).toBe(0);

    const second = await cli.start(['serve']);
    await second.waitForLine(({ text }) => text.includes('"msg":"ready"'));
    second.signal('SIGTERM');
    const { stdout } = await finish(second);
    expect(stdout).not.toContain('first API key');
    for (const line of stdout.split('\n')) expect(parse(line)).toHaveProperty('msg');
  });

  it('takes the signals of a terminal and of npm, which come together, for one', async () => {
    const serving = await new CliUnderTest({ npm_lifecycle_event: 'start' }).start([]);
    await serving.waitForLine(({ text }) => text.includes('"msg":"ready"'));
    serving.signal('SIGINT');
    serving.signal('SIGTERM');
    expect((await serving.ended).code).toBe(0);
  });

  it('accepts a given key and does not print it', async () => {
    const service = await ServiceProcess.start();
    const answer = await fetch(`${service.url}/v2/task.list`, { headers: { 'x-service-api-key': service.apiKey } });
    expect(answer.status).toBe(200);
    expect(service.lines.map(({ text }) => text).join('\n')).not.toContain(service.apiKey);
  });

  it('reports readiness exactly once, with its URL, at any log level', async () => {
    const service = await ServiceProcess.start({ env: { ERRAND_LOG: 'silent' } });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    const lines = service.lines.map(({ text }) => parse(text));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ msg: 'ready', url: service.url, model: 'offline/offline-1', data_dir: service.dataDir });
    expect(URL.canParse(String(lines[0]?.content_url))).toBe(true);
  });

  it('is rejected on a data folder that another one serves', async () => {
    const service = await ServiceProcess.start();
    const { code, lines } = await ServiceProcess.startRefused({ dataDir: service.dataDir });
    expect(code).toBe(78);
    expect(lines.map(({ text }) => text)).toEqual([someText(/^errand: ERRAND_DATA_DIR: another errand process is using /)]);
  });

  it('waits for a short command that holds the data folder', async () => {
    const cli = new CliUnderTest();
    const keys = Array.from({ length: 3 }, () => cli.runProcess(['key', 'create']));
    const service = await ServiceProcess.start({ dataDir: cli.dataDir });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    for (const { code } of await Promise.all(keys)) expect(code).toBe(0);
  });

  it('with an invalid setting says so in one line and writes nothing', async () => {
    const dataDir = join(createFolder('wrong'), 'data');
    const { code, lines } = await ServiceProcess.startRefused({ dataDir, env: { ERRAND_PORT: '70000' } });
    expect(code).toBe(78);
    expect(lines).toEqual([{ source: 'stderr', text: someText(/^errand: ERRAND_PORT: /) }]);
    expect(readdirSync(join(dataDir, '..'))).toEqual([]);
  });

  it('warns of unknown settings', async () => {
    const service = await ServiceProcess.start({ env: { ERRAND_MODLE: 'x' } });
    const { msg } = await service.waitForLog(({ level }) => level === 'warn');
    expect(msg).toBe('ERRAND_MODLE is not a setting; did you mean ERRAND_MODEL?');
  });

  it('protects the control socket from other users', async () => {
    const service = await ServiceProcess.start();
    expect(statSync(join(service.dataDir, 'control.sock')).mode & 0o777).toBe(0o600);
  });

  it('shuts down cleanly at the first signal, and leaves no socket', async () => {
    const service = await ServiceProcess.start();
    expect(await service.kill('SIGINT')).toEqual({ code: 0, signal: null });
    expect(readdirSync(service.dataDir)).not.toContain('control.sock');
  });

  it('can be split into one process that listens and another that works, on one database', async () => {
    const database = { ERRAND_DATABASE_URL: await createDatabase(), ERRAND_SECRET: 'the same for both of them' };
    const api = await ServiceProcess.start({ args: ['--role', 'api'], env: database });
    const worker = await ServiceProcess.start({ args: ['--role', 'worker'], env: database });
    expect(await worker.waitForLog(({ msg }) => msg === 'ready')).not.toHaveProperty('url');
    const client = { ERRAND_URL: api.url, ERRAND_API_KEY: api.apiKey };
    expect(await new CliUnderTest().runProcess(['run', 'say hello'], client)).toMatchObject({ code: 0, stdout: 'hello' });
    for (const service of [worker, api]) expect((await service.kill('SIGTERM')).code).toBe(0);
    await dropDatabase(database.ERRAND_DATABASE_URL);
  });
});
