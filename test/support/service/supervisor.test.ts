import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../process/leftovers.ts';
import { endServices, ServiceProcess } from './supervisor.ts';

const script = 'test/support/service/fake-service.ts';

async function ask(service: ServiceProcess, path = '/'): Promise<string> {
  return (await fetch(service.url + path)).text();
}

describe('a supervised service', () => {
  it('has started once its ready line is on standard output, and its log can be awaited', async () => {
    await using service = await ServiceProcess.start({ script });
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(service.contentUrl).toBe(service.url);
    const seen = service.waitForLog(({ path }) => path === '/hello');
    await ask(service, '/hello');
    expect(await seen).toEqual({ msg: 'request', path: '/hello' });
    expect(service.lines).toContainEqual({ source: 'stdout', text: 'not JSON' });
  });

  it("receives the settings of the test, and none of the test runner's", async () => {
    process.env.ERRAND_TEST_LEAK = 'yes';
    await using service = await ServiceProcess.start({ script, env: { ERRAND_CREDITS: 'enforced' } });
    delete process.env.ERRAND_TEST_LEAK;
    const { keys } = await service.waitForLog(({ msg }) => msg === 'ready');
    expect(keys).toEqual(expect.arrayContaining(['ERRAND_DATA_DIR', 'ERRAND_BOOTSTRAP_KEY', 'ERRAND_CREDITS']));
    expect(keys).not.toContain('ERRAND_TEST_LEAK');
  });

  it('reports how it ended after each signal, with everything it wrote', async () => {
    await using service = await ServiceProcess.start({ script });
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(service.lines.at(-1)?.text).toBe('{"msg":"drained"}');
    await service.restart();
    expect(await service.kill()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await service.waitForExit()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('restarts on the same data and address, and keeps earlier output', async () => {
    await using service = await ServiceProcess.start({ script });
    const { url, pid } = service;
    expect(await ask(service)).toBe('1');
    await service.restart({ ERRAND_LOG: 'debug' });
    expect(await ask(service)).toBe('2');
    expect(service.url).toBe(url);
    expect(service.pid).not.toBe(pid);
    expect(service.lines.filter(({ text }) => text.includes('"ready"') && !text.includes('wrong'))).toHaveLength(2);
  });

  it('answers nothing while it is paused, and the same request once it resumes', async () => {
    await using service = await ServiceProcess.start({ script });
    service.pause();
    let hasAnswered = false;
    const answer = ask(service).finally(() => {
      hasAnswered = true;
    });
    await using other = await ServiceProcess.start({ script });
    await ask(other);
    expect(hasAnswered).toBe(false);
    service.resume();
    expect(await answer).toBe('1');
  });

  it('that ends before it is ready fails its start with what it wrote', async () => {
    await expect(ServiceProcess.start({ script, env: { ERRAND_LOG: 'wrong' } })).rejects.toThrow(
      /ended with 78\n {2}stderr: ERRAND_LOG: no such level/,
    );
    const { code, lines } = await ServiceProcess.startRefused({ script, env: { ERRAND_LOG: 'wrong' } });
    expect(code).toBe(78);
    expect(lines).toEqual([{ source: 'stderr', text: 'ERRAND_LOG: no such level' }]);
  });

  it('is removed with its data after the test file, unless the folder was given', async () => {
    const dataDir = createFolder('given');
    const own = await ServiceProcess.start({ script });
    const given = await ServiceProcess.start({ script, dataDir });
    await endServices();
    await expect(ask(own)).rejects.toThrow('fetch failed');
    await expect(ask(given)).rejects.toThrow('fetch failed');
    expect(existsSync(own.dataDir)).toBe(false);
    expect(existsSync(dataDir)).toBe(true);
  });
});
