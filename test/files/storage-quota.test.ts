import { describe, expect, it } from 'vitest';
import { createErrand } from '../../packages/client/src/index.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { eventually } from '../support/service/service-client.ts';
import { LocalService } from '../support/service/local-service.ts';

/** Small, so that a command fills it at once. */
const env = { ERRAND_ACCOUNT_STORAGE_MB: '40', ERRAND_TASK_STORAGE_MB: '25', ERRAND_TASK_FILES: '500' };

describe.runIf(testSandbox)('the storage of an account', () => {
  it('bounds the workspaces of all its tasks, tells the model why, and is free again once a task is deleted', async () => {
    await using service = await LocalService.start({ env });
    const errand = createErrand({ baseUrl: service.url, apiKey: service.apiKey });
    const run = async (command: string) => {
      const { task_id } = await errand.task.create({ message: { content: `run ${command}` } });
      await errand.waitForTask(task_id);
      const { messages } = await errand.task.listMessages({ task_id, order: 'asc', verbose: true, limit: 200 });
      return { taskId: task_id, text: JSON.stringify(messages) };
    };
    const fill = (megabytes: number) => run(`head -c ${megabytes}M /dev/urandom > big && echo filled`);
    const used = async () => (await errand.usage.availableCredits({})).data.storage;
    expect(await used()).toEqual({ bytes: 0, files: 0, max_bytes: 40 * 2 ** 20, max_files: 1_000_000 });

    const first = await fill(20);
    expect(first.text).toContain('filled');
    expect((await used()).bytes).toBeGreaterThanOrEqual(20 * 2 ** 20);

    const second = await fill(30);
    expect(second.text).toContain('would hold more than 25 MB or 500 files');
    expect(second.text).toContain('or those of the account more than 40 MB or 1000000 files');

    const third = await fill(10);
    expect(third.text).toContain('remove what is not needed');

    const { file, upload_url } = await errand.file.upload({ filename: 'a.txt' });
    const put = () => fetch(upload_url, { method: 'PUT', body: 'x'.repeat(2 ** 20) });
    const refused = await put();
    expect([refused.status, await refused.text()]).toEqual([
      429,
      expect.stringContaining('would take more than 40 MB or 1000000 files. Delete files or tasks, then try again.'),
    ]);

    for (const { taskId } of [first, second, third]) await errand.task.delete({ task_id: taskId });
    await eventually('released storage', async () => ((await used()).bytes < 2 ** 20 ? true : null));
    expect((await put()).status).toBe(200);
    expect((await errand.file.detail({ file_id: file.id })).file.status).toBe('uploaded');
  });

  it('is not taken by one task alone: its results have a limit of their own, in all versions together', async () => {
    await using service = await LocalService.start({ env: { ...env, ERRAND_ACCOUNT_STORAGE_MB: '400' } });
    const errand = createErrand({ baseUrl: service.url, apiKey: service.apiKey });
    const delivery = 'run head -c 10M /dev/urandom > big\ndeliver big';
    const { task_id } = await errand.task.create({ message: { content: delivery } });
    await errand.waitForTask(task_id);
    for (let time = 0; time < 2; time += 1) {
      await errand.task.sendMessage({ task_id, message: { content: delivery } });
      await errand.waitForTask(task_id);
    }
    const { messages } = await errand.task.listMessages({ task_id, order: 'asc', verbose: true, limit: 200 });
    expect(JSON.stringify(messages)).toContain('the results of this task would take more than 25 MB or 500 files');
    const { storage } = (await errand.usage.availableCredits({})).data;
    expect(storage?.bytes).toBeLessThan(35 * 2 ** 20);
  });
});
