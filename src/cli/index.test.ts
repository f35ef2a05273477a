import { globSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { TestHost } from '../../test/support/cli/test-shell.ts';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';
import { commandGroups, commandNames, loadCommand } from './command-table.ts';
import { commonOptions } from './commands/command.ts';
import { runErrand } from './index.ts';

const commands = await Promise.all(commandNames.map(loadCommand));

const folder = createFolder('cli');
afterAll(() => removeFolder(folder));

async function run(argv: readonly string[], env = {}) {
  const host = new TestHost({ ERRAND_DATA_DIR: folder, ...env });
  const exit = await runErrand(argv, host);
  return { exit, stdout: host.stdout.text, stderr: host.stderr.text };
}

/** The words of a line as a shell would give them, for lines as simple as those in the help texts. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}

it('every command is in the table under its own name', () => {
  expect(commands.map(({ name }) => name)).toEqual(commandNames);
});

it('every command that a file exports is in the table', async () => {
  const here = new URL('./commands/', import.meta.url);
  const files = globSync('**/*.ts', { cwd: here }).filter((name) => !name.endsWith('.test.ts'));
  const modules = await Promise.all(files.map((name) => import(new URL(name, here).href) as Promise<Record<string, unknown>>));
  const isCommand = (value: unknown): value is { name: string } =>
    typeof value === 'object' && value !== null && 'name' in value && 'summary' in value && 'prepare' in value;
  const names = modules
    .flatMap((module) => Object.values(module).flat())
    .filter(isCommand)
    .map(({ name }) => name);
  expect(names.filter((name) => !commandNames.includes(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(100);
});

describe('help', () => {
  it.each([[['--help']], [['-h']], [['help']]])('lists every command: %j', async (argv) => {
    const { exit, stdout, stderr } = await run(argv);
    expect([exit, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    for (const { name, summary } of commands) {
      expect(lines.filter((line) => line.startsWith(`  ${name} `) && line.endsWith(` ${summary}`))).toHaveLength(1);
    }
  });

  it('lists the commands in groups, those that a newcomer needs first', async () => {
    const { stdout } = await run(['--help']);
    const titles = stdout.split('\n').filter((line) => /^\S.*:$/.test(line));
    expect(titles).toEqual(commandGroups.map(([title]) => `${title}:`));
    const [, second] = titles;
    expect(stdout.slice(0, stdout.indexOf(`\n${second}`))).toMatch(/\n {2}run .*\n {2}serve .*\n {2}doctor /);
  });

  it.each(commands.map((command) => [command.name, command] as const))(
    'of %s names all arguments and options, and its examples work',
    async (name, command) => {
      const { exit, stdout } = await run([...name.split(' '), '--help']);
      expect(exit).toBe(0);
      expect(await run(['help', ...name.split(' ')])).toMatchObject({ stdout });
      const named = [...Object.keys(command.options).map((option) => `--${option}`), ...Object.keys(command.args)];
      for (const word of [...named, ...Object.keys(commonOptions)]) expect(stdout).toContain(word);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const [line] of command.examples) {
        const words = splitWords(line.replace(/ < .*$/, ''));
        expect(words.slice(0, name.split(' ').length).join(' ')).toBe(name);
        expect(() => command.prepare(words.slice(name.split(' ').length))).not.toThrow();
      }
    },
  );

  it('of a command group lists only that group', async () => {
    const { stdout } = await run(['task', '--help']);
    expect(stdout).toMatch(/^Usage: errand task COMMAND /);
    expect(stdout).toContain('task create');
    expect(stdout).not.toContain('key create');
  });

  it('needs no valid settings', async () => {
    expect((await run(['--help'], { ERRAND_PORT: 'wrong' })).exit).toBe(0);
  });

  it('of serve lists every setting with its default', async () => {
    const { stdout } = await run(['serve', '--help']);
    expect(stdout).toContain('ERRAND_PORT  (default: 7070)');
    expect(stdout).toContain('ERRAND_CREDITS  (default: unlimited)');
  });
});

describe('wrong use', () => {
  const noAddress = '--email must be an e-mail address, such as ann@example.com';
  it.each([
    [['tsak'], 'unknown command "tsak"; did you mean task?'],
    [['task', 'lst'], 'unknown command "task lst"; did you mean task list?'],
    [['task'], 'task needs one of create, show, send, confirm, stop, list, delete, clear, watch, trace, hand-over, assigned'],
    [['browser', 'create'], 'unknown command "browser"'],
    [['run'], 'PROMPT is missing (see errand run --help)'],
    [['--rolle', 'api'], 'unknown option --rolle; did you mean --role? (see errand serve --help)'],
    [['serve', '--role', 'boss'], '--role must be one of all, api, worker (see errand serve --help)'],
    [['account', 'create'], '--email is missing (see errand account create --help)'],
    [['account', 'create', '--email', 'nope'], `${noAddress} (see errand account create --help)`],
    [['team', 'invite', '--team', 'A', '--email', 'a@b@c'], `${noAddress} (see errand team invite --help)`],
    [['task', 'list', '--limit', '0', '--json'], '--limit must be a number from 1 to 100 (see errand task list --help)'],
    [['run', ' '], 'the text of the message is empty (see errand run --help)'],
  ])('exits with 64 and one line on standard error: %j', async (argv, line) => {
    expect(await run(argv)).toEqual({ exit: 64, stdout: '', stderr: `errand: ${line}\n` });
  });

  it('comes before wrong settings', async () => {
    expect((await run(['tsak'], { ERRAND_PORT: 'wrong' })).exit).toBe(64);
  });
});

describe('a wrong setting', () => {
  it.each([[[]], [['serve']], [['task', 'list', '--json']], [['doctor']]])(
    'exits with 78 and one line, and writes nothing: %j',
    async (argv) => {
      const { exit, stdout, stderr } = await run(argv, { ERRAND_PORT: 'wrong' });
      expect([exit, stdout]).toEqual([78, '']);
      expect(stderr).toMatch(/^errand: ERRAND_PORT: [^\n]+\n$/);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('that requires a missing key is rejected', async () => {
    expect(await run(['task', 'list'], { ERRAND_URL: 'http://127.0.0.1:9' })).toMatchObject({ exit: 78, stdout: '' });
  });

  it('that is probably misspelled produces a warning beside the result', async () => {
    const { stderr } = await run(['task', 'list'], { ERRAND_URL: 'http://127.0.0.1:9', ERRAND_API_KYE: 'x' });
    expect(stderr).toMatch(/^warning: ERRAND_API_KYE is not a setting; did you mean ERRAND_API_KEY\?\n/);
  });
});

describe('a command that fails', () => {
  const nowhere = { ERRAND_URL: 'http://127.0.0.1:2', ERRAND_API_KEY: 'sk-key' };

  it('exits with 1 and one line', async () => {
    const { exit, stdout, stderr } = await run(['task', 'list'], nowhere);
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^errand: cannot reach http:\/\/127\.0\.0\.1:2: [^\n]+\n$/);
  });

  it('also prints one JSON object on request', async () => {
    const { stdout } = await run(['task', 'list', '--json'], nowhere);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'unavailable' } });
    expect(stdout.trimEnd()).not.toContain('\n');
  });

  it('cannot combine an account with an API key', async () => {
    expect((await run(['task', 'list', '--account', 'a@b'], nowhere)).exit).toBe(64);
  });
});

it('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  // These are sources, whose commit nobody knows.
  expect((await run(['--version'])).stdout).toBe(`${version}\n`);
  expect(JSON.parse((await run(['--version', '--json'])).stdout)).toEqual({ version, commit: null });
});
