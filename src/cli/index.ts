import { Fault } from '../base/fault.ts';
import { findNearestName } from '../base/nearest-name.ts';
import { StartFault } from '../base/start-fault.ts';
import { readConfig } from '../config.ts';
import { accountCreate } from './account-create.ts';
import { accountPassword } from './account-password.ts';
import { agentShow } from './agent-show.ts';
import { agentUpdate } from './agent-update.ts';
import { appCreate } from './app-create.ts';
import { appDelete } from './app-delete.ts';
import { appList } from './app-list.ts';
import { appSecretAdd } from './app-secret-add.ts';
import { appSecretRevoke } from './app-secret-revoke.ts';
import { appShow } from './app-show.ts';
import { appUpdate } from './app-update.ts';
import { auditList } from './audit-list.ts';
import { bridgeLink } from './bridge-link.ts';
import { bridgeList } from './bridge-list.ts';
import { bridgeUnlink } from './bridge-unlink.ts';
import type { Command } from './command.ts';
import { connectorAdd } from './connector-add.ts';
import { connectorCheck } from './connector-check.ts';
import { connectorDelete } from './connector-delete.ts';
import { connectorList } from './connector-list.ts';
import { creditsGrant } from './credits-grant.ts';
import { creditsShow } from './credits-show.ts';
import { doctor } from './doctor.ts';
import { CommandFault, type ExitCode, exitCode, UsageFault } from './exit-code.ts';
import { describeCommand, describeErrand } from './help.ts';
import { keyCreate } from './key-create.ts';
import { keyList } from './key-list.ts';
import { keyRevoke } from './key-revoke.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { mcp } from './mcp.ts';
import { migrate } from './migrate.ts';
import { cleanLine, printJson, printNote, printText } from './output.ts';
import { projectCreate } from './project-create.ts';
import { projectList } from './project-list.ts';
import { projectUpdate } from './project-update.ts';
import { run } from './run.ts';
import { serve } from './serve.ts';
import type { Host, Shell } from './shell.ts';
import { skillAdd } from './skill-add.ts';
import { skillDelete } from './skill-delete.ts';
import { skillList } from './skill-list.ts';
import { taskConfirm } from './task-confirm.ts';
import { taskCreate } from './task-create.ts';
import { taskDelete } from './task-delete.ts';
import { taskList } from './task-list.ts';
import { taskSend } from './task-send.ts';
import { taskShow } from './task-show.ts';
import { taskStop } from './task-stop.ts';
import { taskWatch } from './task-watch.ts';
import { teamAccept } from './team-accept.ts';
import { teamCreate } from './team-create.ts';
import { teamInvite } from './team-invite.ts';
import { teamList } from './team-list.ts';
import { teamMembers } from './team-members.ts';
import { teamRemove } from './team-remove.ts';
import { teamRole } from './team-role.ts';
import { ConnectionLost } from './transport.ts';
import { readVersion } from './version.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhookEnable } from './webhook-enable.ts';
import { webhookList } from './webhook-list.ts';
import { webhookResend } from './webhook-resend.ts';
import { webhookRotateKeys } from './webhook-rotate-keys.ts';

/** Every command, in the order in which help shows them. */
export const commands: readonly Command[] = [
  serve,
  run,
  taskCreate,
  taskShow,
  taskWatch,
  taskSend,
  taskConfirm,
  taskStop,
  taskList,
  taskDelete,
  projectCreate,
  projectList,
  projectUpdate,
  agentShow,
  agentUpdate,
  bridgeLink,
  bridgeList,
  bridgeUnlink,
  skillList,
  skillAdd,
  skillDelete,
  connectorList,
  connectorAdd,
  connectorCheck,
  connectorDelete,
  mcp,
  login,
  logout,
  keyCreate,
  keyList,
  keyRevoke,
  accountCreate,
  accountPassword,
  teamCreate,
  teamInvite,
  teamAccept,
  teamList,
  teamMembers,
  teamRemove,
  teamRole,
  auditList,
  appCreate,
  appList,
  appShow,
  appUpdate,
  appDelete,
  appSecretAdd,
  appSecretRevoke,
  creditsShow,
  creditsGrant,
  webhookList,
  webhookDeliveries,
  webhookResend,
  webhookEnable,
  webhookRotateKeys,
  migrate,
  doctor,
];

interface Match {
  command: Command;
  /** What follows the command's name. */
  rest: readonly string[];
}

/** The command a line begins with. Throws `UsageFault` naming the one that was probably meant. */
function findCommand(argv: readonly string[]): Match {
  const [first = '', second = ''] = argv;
  // No command is `serve`, with or without its options.
  if (first === '' || first.startsWith('-')) return { command: serve, rest: argv };
  for (const words of [3, 2, 1]) {
    const command = commands.find(({ name }) => name === argv.slice(0, words).join(' '));
    if (command) return { command, rest: argv.slice(words) };
  }
  const family = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.slice(first.length + 1));
  if (family.length > 0 && (second === '' || second.startsWith('-'))) {
    throw new UsageFault(`${first} needs one of ${family.join(', ')}`);
  }
  const typed = family.length > 0 ? `${first} ${second}` : first;
  const nearest = findNearestName(typed, [
    ...commands.map(({ name }) => name),
    ...commands.map(({ name }) => name.split(' ')[0] ?? name),
  ]);
  throw new UsageFault(`unknown command ${JSON.stringify(typed)}${nearest ? `; did you mean ${nearest}?` : ''}`);
}

/** Wrong use is told with the command it is a wrong use of. */
function prepareCommand({ command, rest }: Match): (shell: Shell) => Promise<ExitCode> {
  const explain = (error: unknown) =>
    error instanceof UsageFault ? new UsageFault(`${error.message} (see errand ${command.name} --help)`) : error;
  try {
    const start = command.prepare(rest);
    return async (shell) => {
      for (const warning of command === serve ? [] : shell.config.warnings) printNote(shell, `warning: ${warning}`);
      return start(shell).catch((error: unknown) => {
        throw explain(error);
      });
    };
  } catch (error) {
    throw explain(error);
  }
}

/** Options that stand for themselves, up to `--`. */
function has(argv: readonly string[], ...flags: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).some((word) => flags.includes(word));
}

/** `errand help task create`, `errand --help` and `errand task create --help` say the same. */
function findHelp(argv: readonly string[]): string | null {
  const isAsked = argv[0] === 'help' || has(argv, '--help', '-h');
  if (!isAsked) return null;
  const words = (argv[0] === 'help' ? argv.slice(1) : argv).filter((word) => !word.startsWith('-'));
  const [first] = words;
  if (first === undefined) return describeErrand(commands);
  const family = commands.filter(({ name }) => name === first || name.startsWith(`${first} `));
  const isWhole = [2, 3].some((count) => family.some(({ name }) => name === words.slice(0, count).join(' ')));
  if (family.length > 1 && !isWhole) return describeErrand(family);
  return describeCommand(findCommand(words).command);
}

function explainFailure(error: unknown): { code: string; message: string; exit: ExitCode } {
  const { message } = error as Error;
  if (error instanceof UsageFault) return { code: 'usage', message, exit: exitCode.misused };
  if (error instanceof StartFault) return { code: 'misconfigured', message, exit: exitCode.misconfigured };
  if (error instanceof CommandFault || error instanceof Fault) return { code: error.code, message, exit: exitCode.failed };
  if (error instanceof ConnectionLost) return { code: 'unavailable', message, exit: exitCode.failed };
  return { code: 'internal', message: `something went wrong inside errand: ${message}`, exit: exitCode.failed };
}

/**
 * Runs one command line to its end and returns its exit code. Failures are one line on standard error; with `--json`, those of
 * a command that was used rightly are also the one object on standard output.
 */
export async function runErrand(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    const help = findHelp(argv);
    if (help !== null) {
      printText(host, help);
      return exitCode.done;
    }
    if (argv[0] === '--version' || argv[0] === '-v') {
      printText(host, readVersion());
      return exitCode.done;
    }
    const start = prepareCommand(findCommand(argv));
    const { env, ...streams } = host;
    return await start({ ...streams, config: readConfig(env) });
  } catch (error) {
    const { code, message, exit } = explainFailure(error);
    if (exit === exitCode.failed && has(argv, '--json')) printJson(host, { error: { code, message } });
    printNote(host, `errand: ${cleanLine(message, 2000)}`);
    return exit;
  }
}
