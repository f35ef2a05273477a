import type { Command } from './command.ts';

/** Every command in the order in which help shows them, each loaded when it is asked for: the service runs but one of them. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  run: async () => (await import('./run.ts')).run,
  'task create': async () => (await import('./task-create.ts')).taskCreate,
  'task show': async () => (await import('./task-show.ts')).taskShow,
  'task watch': async () => (await import('./task-watch.ts')).taskWatch,
  'task send': async () => (await import('./task-send.ts')).taskSend,
  'task confirm': async () => (await import('./task-confirm.ts')).taskConfirm,
  'task stop': async () => (await import('./task-stop.ts')).taskStop,
  'task list': async () => (await import('./task-list.ts')).taskList,
  'task delete': async () => (await import('./task-delete.ts')).taskDelete,
  'project create': async () => (await import('./project-create.ts')).projectCreate,
  'project list': async () => (await import('./project-list.ts')).projectList,
  'project update': async () => (await import('./project-update.ts')).projectUpdate,
  'agent show': async () => (await import('./agent-show.ts')).agentShow,
  'agent update': async () => (await import('./agent-update.ts')).agentUpdate,
  'bridge link': async () => (await import('./bridge-link.ts')).bridgeLink,
  'bridge list': async () => (await import('./bridge-list.ts')).bridgeList,
  'bridge unlink': async () => (await import('./bridge-unlink.ts')).bridgeUnlink,
  'skill list': async () => (await import('./skill-list.ts')).skillList,
  'skill add': async () => (await import('./skill-add.ts')).skillAdd,
  'skill delete': async () => (await import('./skill-delete.ts')).skillDelete,
  'connector list': async () => (await import('./connector-list.ts')).connectorList,
  'connector add': async () => (await import('./connector-add.ts')).connectorAdd,
  'connector add-command': async () => (await import('./connector-add-command.ts')).connectorAddCommand,
  'connector check': async () => (await import('./connector-check.ts')).connectorCheck,
  'connector delete': async () => (await import('./connector-delete.ts')).connectorDelete,
  mcp: async () => (await import('./mcp.ts')).mcp,
  login: async () => (await import('./login.ts')).login,
  logout: async () => (await import('./logout.ts')).logout,
  'key create': async () => (await import('./key-create.ts')).keyCreate,
  'key list': async () => (await import('./key-list.ts')).keyList,
  'key revoke': async () => (await import('./key-revoke.ts')).keyRevoke,
  'account create': async () => (await import('./account-create.ts')).accountCreate,
  'account password': async () => (await import('./account-password.ts')).accountPassword,
  'team create': async () => (await import('./team-create.ts')).teamCreate,
  'team invite': async () => (await import('./team-invite.ts')).teamInvite,
  'team accept': async () => (await import('./team-accept.ts')).teamAccept,
  'team list': async () => (await import('./team-list.ts')).teamList,
  'team members': async () => (await import('./team-members.ts')).teamMembers,
  'team remove': async () => (await import('./team-remove.ts')).teamRemove,
  'team role': async () => (await import('./team-role.ts')).teamRole,
  'audit list': async () => (await import('./audit-list.ts')).auditList,
  'app create': async () => (await import('./app-create.ts')).appCreate,
  'app list': async () => (await import('./app-list.ts')).appList,
  'app show': async () => (await import('./app-show.ts')).appShow,
  'app update': async () => (await import('./app-update.ts')).appUpdate,
  'app delete': async () => (await import('./app-delete.ts')).appDelete,
  'app secret add': async () => (await import('./app-secret-add.ts')).appSecretAdd,
  'app secret revoke': async () => (await import('./app-secret-revoke.ts')).appSecretRevoke,
  'credits show': async () => (await import('./credits-show.ts')).creditsShow,
  'credits grant': async () => (await import('./credits-grant.ts')).creditsGrant,
  'webhook list': async () => (await import('./webhook-list.ts')).webhookList,
  'webhook deliveries': async () => (await import('./webhook-deliveries.ts')).webhookDeliveries,
  'webhook resend': async () => (await import('./webhook-resend.ts')).webhookResend,
  'webhook enable': async () => (await import('./webhook-enable.ts')).webhookEnable,
  'webhook rotate-keys': async () => (await import('./webhook-rotate-keys.ts')).webhookRotateKeys,
  migrate: async () => (await import('./migrate.ts')).migrate,
  doctor: async () => (await import('./doctor.ts')).doctor,
};

export const commandNames: readonly string[] = Object.keys(loaders);

/** The command of a name of `commandNames`. */
export async function loadCommand(name: string): Promise<Command> {
  const load = loaders[name];
  if (!load) throw new Error(`there is no command ${name}`);
  return load();
}
