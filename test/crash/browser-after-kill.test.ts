import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { findBrowser } from '@errand/sandbox/programs';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { isEnd, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

const page = `<title>Counting</title><p id="out"></p><script>
for (const store of [localStorage, sessionStorage]) store.count = Number(store.count || 0) + 1;
out.textContent = 'local ' + localStorage.count + ', session ' + sessionStorage.count;
</script>`;

const browse = (...actions: object[]) => ({ calls: [{ tool: 'use_browser', input: { actions } }] });
const isCounted = { do: 'wait', text: 'local 2, session 2', seconds: 30 };
const steps = [
  { calls: [{ tool: 'write_file', input: { path: 'site/index.html', content: page } }] },
  browse({ do: 'open', url: 'site/index.html' }),
  // Never ends the first time.
  {
    calls: [{ tool: 'run_shell', input: { command: 'echo x >> runs; if [ $(wc -l < runs) -lt 2 ]; then sleep 600; fi' } }],
  },
  // Fails, because the beginning of what failed is in the last message.
  browse(isCounted, { do: 'click', target: 'css=no-such' }),
  browse(isCounted),
];

describe.skipIf(!testSandbox || findBrowser() === null)('a browser whose service is killed', () => {
  const dataDir = createFolder('browser-kill');
  afterAll(() => removeFolder(dataDir));
  const hasRun = () => readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).some((path) => path.endsWith('/runs'));

  it('goes on after the restart with its page and what that had stored, and the agent reads so', async () => {
    await using service = await ServiceProcess.start({ dataDir });
    const client = new ServiceClient(service);
    const taskId = await client.createTask(`\`\`\`scenario\n${JSON.stringify(steps)}\n\`\`\``);
    await expect.poll(hasRun, { timeout: 180_000 }).toBe(true);
    await service.kill('SIGKILL');
    await service.restart();
    const events = await client.follow(taskId, isEnd);
    const last = JSON.stringify(events.findLast(({ type }) => type === 'assistant_message'));
    expect(last).toContain('5 tool calls, 1 failed');
    expect(last).toContain('use_browser: The browser had ended since the last call: its page was loaded again');
  });
});
