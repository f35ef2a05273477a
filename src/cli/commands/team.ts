import { cleanLine } from '@errand/base/text/terminal-text.ts';
import type { OptionTable } from '../input/command-shape.ts';
import { requireEmail, requireOption } from '../input/options.ts';
import { columns, formatTime, reportRows } from '../output/print.ts';
import { defineRequest } from './request-command.ts';

const teamOption = { team: { type: 'string', value: 'TEAM', about: 'ID or name of the team.' } } as const satisfies OptionTable;

const memberOptions = {
  ...teamOption,
  email: { type: 'string', value: 'EMAIL', about: 'E-mail address or account ID of the member.' },
} as const satisfies OptionTable;

/** The team and the member that a command is about. */
function readMember(options: Readonly<Record<string, unknown>>) {
  return { team: requireOption(options, 'team'), member: requireOption(options, 'email') };
}

const create = defineRequest('team create', 'team.create', {
  summary: 'Create a team and print its ID.',
  options: {
    name: { type: 'string', value: 'NAME', about: 'Name of the team.' },
    owner: { type: 'string', value: 'ACCOUNT', about: 'E-mail address or account ID of its owner (default: the first account).' },
  },
  examples: [['team create --name Research --owner ann@example.com', 'prints the ID of the team']],
  isForInstance: true,
  input: ({ options }) => ({ name: requireOption(options, 'name'), owner: options.owner }),
  report: (created) => ({ text: created.team.id, json: { team_id: created.team.id, ...created } }),
});

const invite = defineRequest('team invite', 'team.invite', {
  summary: 'Invite someone to a team and print the invitation token once.',
  options: {
    ...teamOption,
    email: { type: 'string', value: 'EMAIL', about: 'E-mail address of the account that may accept.' },
    role: { type: 'string', choices: ['admin', 'member'], about: 'Role in the team (default: member).' },
  },
  examples: [['team invite --team Research --email bob@example.com', 'prints the token']],
  isForInstance: true,
  input: ({ options }) => ({ team: requireOption(options, 'team'), email: requireEmail(options), role: options.role }),
  report: ({ token, email, expires_at }) => ({
    text: token,
    notes: [`${cleanLine(email)} can accept once, until ${formatTime(expires_at)} (UTC)`],
  }),
});

const accept = defineRequest('team accept', 'team.accept', {
  summary: 'Accept an invitation on behalf of the invited account.',
  options: { token: { type: 'string', value: 'TOKEN', about: 'Token printed by team invite.' } },
  examples: [['team accept --token TOKEN', 'works once, within seven days']],
  isForInstance: true,
  input: ({ options }) => ({ token: requireOption(options, 'token') }),
  report: ({ account_id, team, role }) => ({ notes: [`account ${account_id} joined ${cleanLine(team)} as ${role}`] }),
});

const list = defineRequest('team list', 'team.list', {
  summary: 'List the teams of this instance, oldest first.',
  examples: [['team list', 'their IDs, sizes and names']],
  isForInstance: true,
  input: () => ({ limit: 100 }),
  report: reportRows('no teams', {
    ...columns.id,
    ...columns.created,
    MEMBERS: ({ member_count }) => String(member_count),
    NAME: ({ name }) => cleanLine(name, 100),
  }),
});

const members = defineRequest('team members', 'team.members', {
  summary: 'List the members of a team.',
  options: teamOption,
  examples: [['team members --team Research', 'its owner first']],
  isForInstance: true,
  input: ({ options }) => ({ team: requireOption(options, 'team') }),
  report: reportRows('no members', {
    ACCOUNT: ({ account_id }) => account_id,
    ROLE: ({ role }) => role,
    'JOINED (UTC)': ({ joined_at }) => formatTime(joined_at),
    'E-MAIL': ({ email }) => email,
  }),
});

const remove = defineRequest('team remove', 'team.remove', {
  summary: 'Remove a member from a team.',
  options: memberOptions,
  examples: [['team remove --team Research --email bob@example.com', 'immediately ends all sharing between them']],
  isForInstance: true,
  input: ({ options }) => readMember(options),
  report: ({ account_id }) => ({ notes: [`account ${account_id} is no longer in the team`] }),
});

const setRole = defineRequest('team role', 'team.setRole', {
  summary: 'Change the role of a team member.',
  options: { ...memberOptions, role: { type: 'string', choices: ['admin', 'member'], about: 'The new role.' } },
  examples: [['team role --team Research --email bob@example.com --role admin', 'lets Bob invite others']],
  isForInstance: true,
  input: ({ options }) => ({ ...readMember(options), role: requireOption(options, 'role') }),
  report: ({ account_id }, { options }) => ({ notes: [`account ${account_id} now has the role ${options.role}`] }),
});

const switchCommand = defineRequest('team switch', 'team.switch', {
  summary: 'Make one of the teams of an account its current one.',
  options: {
    ...teamOption,
    account: { type: 'string', value: 'ACCOUNT', about: 'E-mail address or account ID (default: the first account).' },
  },
  examples: [['team switch --team Research --account bob@example.com', 'what Bob makes from now on belongs to Research']],
  isForInstance: true,
  input: ({ options }) => ({ team: requireOption(options, 'team'), account: options.account }),
  report: ({ account_id, team }) => ({ notes: [`account ${account_id} now acts in ${cleanLine(team)}`] }),
});

/** `errand team …` */
export const teamCommands = [create, invite, accept, list, members, remove, setRole, switchCommand];
