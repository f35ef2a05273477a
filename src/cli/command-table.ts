import type { Command } from './commands/command.ts';

interface Family {
  names: readonly string[];
  load(): Promise<readonly Command[]>;
}

/** The commands of one file; a noun without verbs is a command itself. */
function family(noun: string, verbs: readonly string[], load: Family['load']): Family {
  return { names: verbs.length === 0 ? [noun] : verbs.map((verb) => `${noun} ${verb}`), load };
}

/** Every command in the order of the help text. A file is loaded only when one of its commands is needed. */
const families: readonly Family[] = [
  family('serve', [], async () => [(await import('./commands/serve.ts')).serve]),
  family('run', [], async () => [(await import('./commands/run.ts')).run]),
  family(
    'task',
    ['create', 'show', 'send', 'confirm', 'stop', 'list', 'delete'],
    async () => (await import('./commands/task.ts')).taskCommands,
  ),
  family('task', ['watch'], async () => [(await import('./commands/task-watch.ts')).taskWatch]),
  family('task', ['trace'], async () => [(await import('./commands/instance/task-trace.ts')).taskTrace]),
  family('project', ['create', 'list', 'update'], async () => (await import('./commands/project.ts')).projectCommands),
  family(
    'schedule',
    ['create', 'list', 'show', 'update', 'pause', 'resume', 'delete', 'run', 'runs'],
    async () => (await import('./commands/automation/schedule.ts')).scheduleCommands,
  ),
  family('budget', ['list', 'set'], async () => (await import('./commands/automation/budget.ts')).budgetCommands),
  family('limit', ['list', 'set'], async () => (await import('./commands/automation/limit.ts')).limitCommands),
  family('agent', ['show', 'update'], async () => (await import('./commands/agent.ts')).agentCommands),
  family('bridge', ['link', 'list', 'unlink'], async () => (await import('./commands/bridge.ts')).bridgeCommands),
  family('brand', ['get', 'set', 'delete'], async () => (await import('./commands/brand.ts')).brandCommands),
  family('skill', ['list', 'add', 'delete'], async () => (await import('./commands/skill.ts')).skillCommands),
  family('inbox', ['list', 'decide', 'assign'], async () => (await import('./commands/shared-work/inbox.ts')).inboxCommands),
  family('policy', ['list', 'set'], async () => (await import('./commands/shared-work/policy.ts')).policyCommands),
  family(
    'notification',
    ['show', 'set', 'try'],
    async () => (await import('./commands/shared-work/notification.ts')).notificationCommands,
  ),
  family(
    'memory',
    ['list', 'read', 'write', 'delete', 'versions', 'restore'],
    async () => (await import('./commands/shared-work/memory.ts')).memoryCommands,
  ),
  family(
    'connector',
    ['list', 'add', 'add-command', 'check', 'delete'],
    async () => (await import('./commands/connector.ts')).connectorCommands,
  ),
  family('mcp', [], async () => [(await import('./commands/mcp.ts')).mcp]),
  family('login', [], async () => [(await import('./commands/login.ts')).login]),
  family('logout', [], async () => [(await import('./commands/login.ts')).logout]),
  family('key', ['create', 'list', 'revoke'], async () => (await import('./commands/key.ts')).keyCommands),
  family(
    'account',
    ['create', 'list', 'show', 'quota', 'disable', 'enable', 'owner', 'delete', 'export', 'import', 'password', 'sign-out'],
    async () => (await import('./commands/account.ts')).accountCommands,
  ),
  family('model', ['list', 'set', 'test'], async () => (await import('./commands/instance/model.ts')).modelCommands),
  family('worker', ['list', 'drain', 'undrain'], async () => (await import('./commands/instance/worker.ts')).workerCommands),
  family('identity', ['list', 'link', 'unlink'], async () => (await import('./commands/identity.ts')).identityCommands),
  family(
    'team',
    ['create', 'invite', 'accept', 'list', 'members', 'remove', 'role'],
    async () => (await import('./commands/team.ts')).teamCommands,
  ),
  family('audit', ['list'], async () => (await import('./commands/audit.ts')).auditCommands),
  family(
    'app',
    ['create', 'list', 'show', 'update', 'delete', 'secret add', 'secret revoke'],
    async () => (await import('./commands/app.ts')).appCommands,
  ),
  family('credits', ['show', 'grant'], async () => (await import('./commands/credits.ts')).creditsCommands),
  family(
    'webhook',
    ['list', 'trigger', 'deliveries', 'resend', 'enable', 'rotate-secret', 'rotate-keys'],
    async () => (await import('./commands/webhooks/webhook.ts')).webhookCommands,
  ),
  family('listen', [], async () => [(await import('./commands/webhooks/listen.ts')).listen]),
  family(
    'trigger',
    ['create', 'list', 'show', 'update', 'delete', 'events', 'replay', 'try'],
    async () => (await import('./commands/automation/trigger.ts')).triggerCommands,
  ),
  family('recipe', ['list', 'run', 'delete'], async () => (await import('./commands/automation/recipe.ts')).recipeCommands),
  family('secret', ['reseal'], async () => [(await import('./commands/instance/secret.ts')).secretReseal]),
  family('backup', [], async () => (await import('./commands/backup.ts')).backupCommands),
  family('backup', ['verify', 'prune'], async () => (await import('./commands/backup.ts')).backupCommands),
  family('restore', [], async () => [(await import('./commands/backup.ts')).restore]),
  family('move', [], async () => [(await import('./commands/instance/move.ts')).move]),
  family('migrate', [], async () => [(await import('./commands/migrate.ts')).migrate]),
  family('doctor', [], async () => [(await import('./commands/doctor.ts')).doctor]),
];

/** The names of all commands, in the order of the help text. */
export const commandNames: readonly string[] = families.flatMap(({ names }) => names);

/** The command of a name in `commandNames`. */
export async function loadCommand(name: string): Promise<Command> {
  const commands = await families.find(({ names }) => names.includes(name))?.load();
  const command = commands?.find((candidate) => candidate.name === name);
  if (!command) throw new Error(`there is no command ${name}`);
  return command;
}
