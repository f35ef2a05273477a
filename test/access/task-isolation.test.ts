import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlSocketPath, openControl } from '../../src/cli/transport/control-socket.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { LocalService } from '../support/service/local-service.ts';
import { eventually, isEnd, type Json, ServiceClient } from '../support/service/service-client.ts';

const canaries = ['CANARY-process', 'CANARY-served', 'CANARY-variable', 'CANARY-setup', 'CANARY-memory', 'CANARY-temporary'];
const port = 18_431;
const fence = '```';

interface Call {
  tool: string;
  input: Json;
}

const shell = (command: string, more: Json = {}): Call => ({ tool: 'run_shell', input: { command, ...more } });
const script = (...calls: Call[]) => `${fence}scenario\n${JSON.stringify(calls.map((call) => ({ calls: [call] })))}\n${fence}`;

/** Programs on the machine, in whatever sandbox, with these words in their command line. */
function listPrograms(words: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words);
    } catch {
      return false;
    }
  });
}

describe.skipIf(!testSandbox)('what a task keeps running, has prepared, and remembers', () => {
  let service: LocalService;
  let owner: ServiceClient;
  let stranger: ServiceClient;
  let victim: string;
  let project: string;

  async function makeProject(client: ServiceClient, input: Json): Promise<string> {
    return ((await client.call('project.create', input)).body.project as { id: string }).id;
  }

  async function start(client: ServiceClient, content: string, more: Json = {}): Promise<string> {
    return String((await client.call('task.create', { message: { content }, ...more })).body.task_id);
  }

  beforeAll(async () => {
    service = await LocalService.start();
    owner = new ServiceClient(service);
    const control = openControl(controlSocketPath(service.dataDir), null);
    const made = await control.send({
      path: '/admin/account.create',
      method: 'POST',
      body: { email: 'stranger@example.com', plan: 'pro' },
    });
    stranger = new ServiceClient({ url: service.url, apiKey: String((made.body as Json).api_key) });
    project = await makeProject(owner, { name: 'Victim', setup_script: 'echo CANARY-setup >prepared' });
    victim = await start(
      owner,
      script(
        { tool: 'write_file', input: { path: '/memory/project/notes.md', content: 'CANARY-memory' } },
        { tool: 'run_code', input: { language: 'python', code: 'kept = "CANARY-variable"' } },
        shell(`mkdir /tmp/served && cd /tmp/served && echo CANARY-served >index.html && echo CANARY-temporary >/tmp/mine`),
        shell(`python3 -m http.server ${port} --directory /tmp/served`, { background: true }),
        shell('exec -a CANARY-process sleep 1000', { background: true }),
        shell(`curl -sS --retry 50 --retry-connrefused --retry-delay 1 localhost:${port} && touch /workspace/serves; sleep 500`, {
          timeout_seconds: 600,
        }),
      ),
      { project_id: project },
    );
    await eventually('the victim to serve', () => {
      const files = readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' });
      return Promise.resolve(files.some((path) => path.endsWith('/serves')) ? true : null);
    });
  });
  afterAll(() => service.end());

  const attack = script(
    shell(
      `curl -sS -m 5 localhost:${port}; curl -sS -m 5 127.0.0.1:${port}; (exec 3<>/dev/tcp/::1/${port}) 2>&1; curl -sS -m 5 $(hostname):${port}`,
    ),
    shell('cat /proc/*/cmdline /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; ps -ef'),
    shell(
      'ls -laR /memory /opt/project /tmp 2>&1; cat /opt/project/prepared /memory/project/notes.md /tmp/mine /tmp/served/index.html 2>&1',
    ),
    shell('kill -9 -1; pkill -9 -f http.server; pkill -9 python3; true'),
    { tool: 'run_code', input: { language: 'python', code: 'print(globals().get("kept"))' } },
    { tool: 'read_process', input: { process: 'p1' } },
    { tool: 'read_process', input: { process: 'p2', end: true } },
    { tool: 'read_file', input: { path: '/memory/project/notes.md' } },
    { tool: 'search_files', input: { query: 'CANARY', path: '/memory' } },
    { tool: 'use_browser', input: { actions: [{ do: 'open', url: `localhost:${port}` }] } },
  );

  /** What an attacking task was told. */
  async function sayOf(client: ServiceClient, more: Json): Promise<string> {
    const events = await client.follow(await start(client, attack, more), isEnd);
    return JSON.stringify(events.filter(({ type }) => type !== 'user_message'));
  }

  it.each(['a project of the same account', 'no project', 'another account'])('reaches no task of %s', async (whose) => {
    const client = whose === 'another account' ? stranger : owner;
    const other =
      whose === 'no project' ? null : await makeProject(client, { name: 'Attacker', setup_script: 'cat /opt/*/prepared; ls /' });
    const said = await sayOf(client, other === null ? {} : { project_id: other });
    for (const canary of canaries) expect(said).not.toContain(canary);
    expect(said.match(/"tool_used"/g)?.length).toBeGreaterThanOrEqual(10);
    expect(said).toContain('Connection refused');
    expect(listPrograms('CANARY-process'), 'the victim was harmed').not.toEqual([]);
  });

  it('reaches a task of its project as far as the project shares it, and no further', async () => {
    const said = await sayOf(owner, { project_id: project });
    for (const shared of ['CANARY-setup', 'CANARY-memory']) expect(said).toContain(shared);
    for (const canary of canaries.filter((one) => !/setup|memory/.test(one))) expect(said).not.toContain(canary);
  });

  it('is gone when its task is stopped', async () => {
    expect(listPrograms(`http.server\0${port}`)).not.toEqual([]);
    await owner.call('task.stop', { task_id: victim });
    await eventually('all programs to end', () =>
      Promise.resolve(listPrograms('CANARY-process').length + listPrograms(`http.server\0${port}`).length === 0 ? true : null),
    );
  });
});
