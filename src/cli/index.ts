import { Fault } from '@errand/base/fault.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { findNearestName } from '@errand/base/text/nearest-name.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { readConfig } from '../config/config.ts';
import { commandGroups, commandNames, loadCommand } from './command-table.ts';
import { CommandFault, type ExitCode, exitCode, UsageFault } from './exit-code.ts';
import { readSecretFiles } from './input/secret-files.ts';
import { readSettingsFile } from './input/settings-file.ts';
import { printJson, printNote, printText } from './output/print.ts';
import type { Host, Shell } from './shell.ts';
import { ConnectionLost } from './transport/transport.ts';

interface Match {
  /** One of `commandNames`. */
  name: string;
  /** What follows the command's name. */
  rest: readonly string[];
}

/** The command that a line begins with. Throws `UsageFault` that suggests the most similar one. */
function findCommand(argv: readonly string[]): Match {
  const [first = '', second = ''] = argv;
  // Without a command, errand serves.
  if (first === '' || first.startsWith('-')) return { name: 'serve', rest: argv };
  for (const words of [3, 2, 1]) {
    const name = argv.slice(0, words).join(' ');
    if (commandNames.includes(name)) return { name, rest: argv.slice(words) };
  }
  const family = commandNames.filter((name) => name.startsWith(`${first} `)).map((name) => name.slice(first.length + 1));
  if (family.length > 0 && (second === '' || second.startsWith('-'))) {
    throw new UsageFault(`${first} needs one of ${family.join(', ')}`);
  }
  const typed = family.length > 0 ? `${first} ${second}` : first;
  const nearest = findNearestName(typed, [...commandNames, ...commandNames.map((name) => name.split(' ')[0] ?? name)]);
  throw new UsageFault(`unknown command ${JSON.stringify(typed)}${nearest ? `; did you mean ${nearest}?` : ''}`);
}

/** Adds to a `UsageFault` where to find help. */
async function prepareCommand({ name, rest }: Match): Promise<(shell: Shell) => Promise<ExitCode>> {
  const command = await loadCommand(name);
  const explain = (error: unknown) =>
    error instanceof UsageFault ? new UsageFault(`${error.message} (see errand ${name} --help)`) : error;
  try {
    const start = command.prepare(rest);
    return async (shell) => {
      for (const warning of name === 'serve' ? [] : shell.config.warnings) printNote(shell, `warning: ${warning}`);
      return start(shell).catch((error: unknown) => {
        throw explain(error);
      });
    };
  } catch (error) {
    throw explain(error);
  }
}

/** Whether a line has one of the flags before `--`. */
function has(argv: readonly string[], ...flags: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).some((word) => flags.includes(word));
}

/** The help text if the line asks for it: `errand help task create`, `errand task create --help` or `errand --help`. */
async function findHelp(argv: readonly string[]): Promise<string | null> {
  const isAsked = argv[0] === 'help' || has(argv, '--help', '-h');
  if (!isAsked) return null;
  const { describeCommand, describeErrand, describeFamily } = await import('./output/help.ts');
  const words = (argv[0] === 'help' ? argv.slice(1) : argv).filter((word) => !word.startsWith('-'));
  const [noun] = words;
  if (noun === undefined) {
    const load = async ([title, names]: (typeof commandGroups)[number]) =>
      [title, await Promise.all(names.map(loadCommand))] as const;
    return describeErrand(await Promise.all(commandGroups.map(load)));
  }
  const family = commandNames.filter((name) => name === noun || name.startsWith(`${noun} `));
  const isWhole = [2, 3].some((count) => family.includes(words.slice(0, count).join(' ')));
  if (family.length > 1 && !isWhole) return describeFamily(noun, await Promise.all(family.map(loadCommand)));
  return describeCommand(await loadCommand(findCommand(words).name));
}

function explainFailure(error: unknown): { code: string; message: string; exit: ExitCode } {
  const { message } = error as Error;
  if (error instanceof UsageFault) return { code: 'usage', message, exit: exitCode.misused };
  if (error instanceof StartFault) return { code: 'misconfigured', message, exit: exitCode.misconfigured };
  if (error instanceof CommandFault || error instanceof Fault) return { code: error.code, message, exit: exitCode.failed };
  if (error instanceof ConnectionLost) return { code: 'unavailable', message, exit: exitCode.failed };
  return { code: 'internal', message: `internal error: ${message}`, exit: exitCode.failed };
}

/**
 * Runs one command line and returns its exit code. A failure is one line on standard error; with `--json`, the failure of a
 * correctly used command is also the one object on standard output.
 */
export async function runErrand(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    const help = await findHelp(argv);
    if (help !== null) {
      printText(host, help);
      return exitCode.done;
    }
    if (argv[0] === '--version' || argv[0] === '-v') {
      const { commit, describeVersion, version } = await import('@errand/base/program-version.ts');
      if (has(argv, '--json')) printJson(host, { version, commit });
      else printText(host, describeVersion());
      return exitCode.done;
    }
    const start = await prepareCommand(findCommand(argv));
    const { env, ...streams } = host;
    return await start({ ...streams, config: readConfig(await readSecretFiles(await readSettingsFile(env))) });
  } catch (error) {
    const { code, message, exit } = explainFailure(error);
    if (exit === exitCode.failed && has(argv, '--json')) printJson(host, { error: { code, message } });
    printNote(host, `errand: ${cleanLine(message, 2000)}`);
    return exit;
  }
}
