import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someText } from '../support/http/matchers.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';
import { CliUnderTest, finish } from '../support/cli/cli-under-test.ts';

describe('errand run', () => {
  it('runs a task from an empty folder to its files', async () => {
    const cli = new CliUnderTest();
    const folder = join(cli.dataDir, 'result');
    const { code, stdout, stderr } = await cli.runProcess(['run', 'write hello.md with Hello', '--out', folder]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done: wrote hello.md' });
    expect(stderr).toContain(`wrote ${folder}/hello.md`);
    expect(readFileSync(join(folder, 'hello.md'), 'utf8').trim()).toBe('Hello');
  });

  it('exits with 2 and the question when the agent asks', async () => {
    const cli = new CliUnderTest();
    expect(await cli.run(['run', 'ask which colour?'])).toMatchObject({ code: 2, stdout: 'which colour?' });
    const asked = await cli.runJson(['run', 'ask which colour?', '--interactive']);
    expect(asked).toMatchObject({ code: 2, status: 'waiting', stop_reason: 'ask', message: 'which colour?' });
  });

  it('asks nobody when it is unattended', async () => {
    const cli = new CliUnderTest();
    const ended = await cli.runJson(['run', 'ask which colour?', '--unattended']);
    expect(ended).toMatchObject({ code: 0, status: 'stopped', stop_reason: 'finish' });
    expect(await cli.run(['run', 'say x', '--unattended', '--interactive'])).toMatchObject({ code: 64, stdout: '' });
  });

  it('prints one object with result and files for programs', async () => {
    const cli = new CliUnderTest();
    const schema = join(cli.dataDir, '..', `${cli.dataDir.split('/').at(-1)}.json`);
    writeFileSync(schema, '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}');
    const folder = join(cli.dataDir, 'out');
    const result = await cli.runJson(['run', 'write a.txt with A', '--schema', schema, '--out', folder]);
    expect(result).toMatchObject({
      code: 0,
      status: 'stopped',
      stop_reason: 'finish',
      structured_output: { value: { a: someText(/^/) } },
    });
    expect(result.files).toMatchObject([{ path: 'a.txt' }]);
  });

  it('gives files to the agent, inside the message or, when they are large, uploaded before it', async () => {
    const cli = new CliUnderTest();
    const folder = createFolder('given');
    const [small, large] = [join(folder, 'small.txt'), join(folder, 'large.bin')];
    writeFileSync(small, 'given by hand');
    writeFileSync(large, Buffer.alloc(17 * 1024 * 1024));
    const read = await cli.run(['run', 'read attachments/small.txt', '--file', small]);
    expect(read).toMatchObject({ code: 0, stdout: someText(/given by hand/) });
    const listed = await cli.run(['run', 'list attachments', '--file', small, '--file', large]);
    expect(listed).toMatchObject({ code: 0, stdout: someText(/large\.bin +17\.0 MB[\s\S]*small\.txt/) });
    const missing = await cli.run(['run', 'x', '--file', join(folder, 'missing')]);
    expect(missing).toMatchObject({ code: 1, stderr: someText(/^errand: --file .*missing: ENOENT/) });
    removeFolder(folder);
  });
});

describe('a task whose model does not answer', () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  let env: Record<string, string> = {};
  beforeAll(async () => {
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    env = { ERRAND_MODEL: 'compatible/silent', ERRAND_MODEL_BASE_URL: `http://127.0.0.1:${port}/v1` };
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('is stopped when errand run is interrupted', async () => {
    const cli = new CliUnderTest(env);
    const child = await cli.start(['run', 'think']);
    const { text } = await child.waitForLine((line) => line.text.startsWith('task '));
    const id = text.slice('task '.length);
    child.signal('SIGINT');
    expect(await finish(child)).toMatchObject({ code: 130, stderr: someText(new RegExp(`stopped task ${id}`)) });
    expect(await cli.runJson(['task', 'show', id])).toMatchObject({ task: { status: 'stopped' } });
  });

  it('is taken over by a second errand run when the one that drove it is killed', async () => {
    const cli = new CliUnderTest(env);
    const first = await cli.start(['run', 'think first']);
    await first.waitForLine((line) => line.text.startsWith('task '));
    const second = await cli.start(['run', 'think second']);
    const { text } = await second.waitForLine((line) => line.text.startsWith('task '));
    expect((await cli.runJson(['task', 'list'])).data).toHaveLength(2);
    first.signal('SIGKILL');
    await second.waitForLine((line) => line.text.includes('trying again'));
    const id = text.slice('task '.length);
    // Until the second one serves, nobody answers.
    await expect.poll(() => cli.runJson(['task', 'show', id])).toMatchObject({ code: 0, task: { status: 'running' } });
    second.signal('SIGINT');
    expect((await finish(second)).code).toBe(130);
  });

  it('is watched without gaps or repeats when the service is killed and restarted', async () => {
    const cli = new CliUnderTest(env);
    const service = await ServiceProcess.start({ dataDir: cli.dataDir, env });
    const { stdout: id } = await cli.run(['task', 'create', 'think']);
    const watch = await cli.start(['task', 'watch', id]);
    await watch.waitForLine(({ text }) => text === '> think');
    await service.kill('SIGKILL');
    await watch.waitForLine(({ text }) => text.endsWith('; trying again'));
    await service.restart();
    await cli.run(['task', 'stop', id]);
    const { code, stdout } = await finish(watch);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '> think\nstopped by the user' });
  });
});
