import type { Command } from './commands/command.ts';

interface Family {
  names: readonly string[];
  load(): Promise<readonly Command[]>;
}

/** The commands of one file; a noun without verbs is a command itself. */
function family(noun: string, verbs: readonly string[], load: Family['load']): Family {
  return { names: verbs.length === 0 ? [noun] : verbs.map((verb) => `${noun} ${verb}`), load };
}

/** Every command, under the titles of the help text and in its order. A file is loaded only when one of its commands is needed. */
const families: Readonly<Record<string, readonly Family[]>> = {
  'Start here': [
    family('run', [], async () => [(await import('./commands/run.ts')).run]),
    family('serve', [], async () => [(await import('./commands/serve.ts')).serve]),
    family('doctor', [], async () => [(await import('./commands/doctor.ts')).doctor]),
    family('login', [], async () => [(await import('./commands/login.ts')).login]),
    family('logout', [], async () => [(await import('./commands/login.ts')).logout]),
  ],
  Tasks: [
    family(
      'task',
      ['create', 'show', 'send', 'confirm', 'stop', 'list', 'delete', 'clear'],
      async () => (await import('./commands/task.ts')).taskCommands,
    ),
    family('task', ['watch'], async () => [(await import('./commands/task-watch.ts')).taskWatch]),
    family('task', ['trace'], async () => [(await import('./commands/instance/task-trace.ts')).taskTrace]),
    family('task', ['hand-over', 'assigned'], async () => (await import('./commands/shared-work/comment.ts')).handOverCommands),
    family(
      'comment',
      ['add', 'list', 'edit', 'delete'],
      async () => (await import('./commands/shared-work/comment.ts')).commentCommands,
    ),
    family('inbox', ['list', 'decide', 'assign'], async () => (await import('./commands/shared-work/inbox.ts')).inboxCommands),
    family('policy', ['list', 'set'], async () => (await import('./commands/shared-work/policy.ts')).policyCommands),
    family(
      'notification',
      ['show', 'set', 'try'],
      async () => (await import('./commands/shared-work/notification.ts')).notificationCommands,
    ),
  ],
  Automation: [
    family(
      'schedule',
      ['create', 'list', 'show', 'update', 'pause', 'resume', 'delete', 'run', 'runs'],
      async () => (await import('./commands/automation/schedule.ts')).scheduleCommands,
    ),
    family(
      'trigger',
      ['create', 'list', 'show', 'update', 'delete', 'events', 'replay', 'try'],
      async () => (await import('./commands/automation/trigger.ts')).triggerCommands,
    ),
    family(
      'recipe',
      ['create', 'list', 'update', 'run', 'delete'],
      async () => (await import('./commands/automation/recipe.ts')).recipeCommands,
    ),
    family('budget', ['list', 'set'], async () => (await import('./commands/automation/budget.ts')).budgetCommands),
    family('limit', ['list', 'set'], async () => (await import('./commands/automation/limit.ts')).limitCommands),
  ],
  'What agents work with': [
    family('project', ['create', 'list', 'update'], async () => (await import('./commands/project.ts')).projectCommands),
    family('agent', ['show', 'update'], async () => (await import('./commands/agent.ts')).agentCommands),
    family('skill', ['list', 'add', 'delete'], async () => (await import('./commands/skill.ts')).skillCommands),
    family(
      'connector',
      ['list', 'add', 'read-api', 'add-api', 'add-command', 'check', 'delete'],
      async () => (await import('./commands/connector.ts')).connectorCommands,
    ),
    family(
      'memory',
      ['list', 'read', 'write', 'delete', 'versions', 'restore'],
      async () => (await import('./commands/shared-work/memory.ts')).memoryCommands,
    ),
    family('brand', ['get', 'set', 'delete'], async () => (await import('./commands/brand.ts')).brandCommands),
    family('bridge', ['link', 'list', 'unlink'], async () => (await import('./commands/bridge.ts')).bridgeCommands),
  ],
  Integrations: [
    family('key', ['create', 'list', 'revoke'], async () => (await import('./commands/key.ts')).keyCommands),
    family(
      'app',
      ['create', 'list', 'show', 'update', 'delete', 'secret add', 'secret revoke'],
      async () => (await import('./commands/app.ts')).appCommands,
    ),
    family(
      'webhook',
      ['list', 'trigger', 'deliveries', 'resend', 'enable', 'rotate-secret', 'rotate-keys'],
      async () => (await import('./commands/webhooks/webhook.ts')).webhookCommands,
    ),
    family(
      'model-key',
      ['list', 'set', 'test', 'delete'],
      async () => (await import('./commands/instance/model-key.ts')).modelKeyCommands,
    ),
    family('listen', [], async () => [(await import('./commands/webhooks/listen.ts')).listen]),
    family('mcp', [], async () => [(await import('./commands/mcp.ts')).mcp]),
  ],
  People: [
    family(
      'account',
      [
        ...['create', 'list', 'show', 'quota', 'disable', 'enable', 'owner', 'delete', 'export', 'import'],
        ...['password', 'password-link', 'two-step-off', 'sign-out'],
      ],
      async () => (await import('./commands/account.ts')).accountCommands,
    ),
    family(
      'team',
      ['create', 'invite', 'accept', 'list', 'members', 'remove', 'role', 'switch'],
      async () => (await import('./commands/team.ts')).teamCommands,
    ),
    family('identity', ['list', 'link', 'unlink'], async () => (await import('./commands/identity.ts')).identityCommands),
    family('audit', ['list'], async () => (await import('./commands/audit.ts')).auditCommands),
    family('credits', ['show', 'grant'], async () => (await import('./commands/credits.ts')).creditsCommands),
  ],
  Operation: [
    family('model', ['list', 'set', 'test'], async () => (await import('./commands/instance/model.ts')).modelCommands),
    family('worker', ['list', 'drain', 'undrain'], async () => (await import('./commands/instance/worker.ts')).workerCommands),
    family('backup', [], async () => (await import('./commands/backup.ts')).backupCommands),
    family('backup', ['verify', 'prune'], async () => (await import('./commands/backup.ts')).backupCommands),
    family('restore', [], async () => [(await import('./commands/backup.ts')).restore]),
    family('move', [], async () => [(await import('./commands/instance/move.ts')).move]),
    family('migrate', [], async () => [(await import('./commands/migrate.ts')).migrate]),
    family('workspace', ['unpack-all'], async () => [(await import('./commands/instance/workspace.ts')).workspaceUnpackAll]),
    family('secret', ['reseal'], async () => [(await import('./commands/instance/secret.ts')).secretReseal]),
  ],
};

/** The names of all commands under the titles of the help text, in its order. */
export const commandGroups: readonly (readonly [title: string, names: readonly string[]])[] = Object.entries(families).map(
  ([title, group]) => [title, group.flatMap(({ names }) => names)],
);

/** The names of all commands, in the order of the help text. */
export const commandNames: readonly string[] = commandGroups.flatMap(([, names]) => names);

/** The command of a name in `commandNames`. */
export async function loadCommand(name: string): Promise<Command> {
  const found = Object.values(families)
    .flat()
    .find(({ names }) => names.includes(name));
  const command = (await found?.load())?.find((candidate) => candidate.name === name);
  if (!command) throw new Error(`there is no command ${name}`);
  return command;
}
