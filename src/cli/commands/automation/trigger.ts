import { invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import type { OptionTable } from '../../input/command-shape.ts';
import {
  budgetOption,
  decisionOptions,
  readBudget,
  readDecisionTimeout,
  readValues,
  recipeOptions,
  requireOption,
} from '../../input/options.ts';
import { columns, reportRows } from '../../output/print.ts';
import type { ResultOf } from '../../transport/operations.ts';
import { defineRequest, reportDone } from '../request-command.ts';
import { bucketOptions, type ChosenBucket, namesBucket, readBucket } from './bucket-options.ts';

const schemes = ['none', 'secret', 'hmac_sha256', 'github', 'stripe', 'standard_webhooks'] as const;

const triggerOptions = {
  name: { type: 'string', value: 'NAME', about: 'Name of the trigger.' },
  template: {
    type: 'string',
    value: 'TEXT',
    about: 'Message of its tasks: {{/a/b}} is a part of the payload, {{subject}} one of a mail, {{body}} all of it.',
  },
  ...recipeOptions,
  value: {
    ...recipeOptions.value,
    about: 'The value of a field of the recipe, with places as --template has; repeatable.',
  },
  sender: { type: 'string', choices: schemes, about: 'How a request proves who sends it.' },
  header: { type: 'string', value: 'NAME', about: 'Header with the secret or the HMAC.' },
  dedupe: { type: 'string', value: 'PLACE', about: "JSON pointer or header with the sender's id of what it sends." },
  filter: { type: 'string', multiple: true, value: 'POINTER=VALUE', about: 'Only payloads with this value; repeatable.' },
  root: { type: 'string', value: 'NAME', about: "Watched folder: the operator's name for its root." },
  folder: { type: 'string', value: 'PATH', about: 'Watched folder: its path below the root.' },
  pattern: { type: 'string', value: 'PATTERN', about: 'Watched folder or bucket: which names count, such as *.pdf.' },
  ...bucketOptions,
  conversation: { type: 'string', choices: ['new', 'same'], about: 'A task for each delivery (default), or one for all.' },
  project: { type: 'string', value: 'ID', about: 'Project of its tasks.' },
  profile: { type: 'string', value: 'NAME', about: 'Agent profile of its tasks.' },
  ...budgetOption,
  ...decisionOptions,
} as const satisfies OptionTable;

/** A value as JSON, or else as the text it is. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function readCondition(condition: string): { pointer: string; equals: unknown } {
  const at = condition.indexOf('=');
  if (at < 1) throw invalidField('--filter', 'must be POINTER=VALUE, such as /action=opened');
  return { pointer: condition.slice(0, at), equals: readValue(condition.slice(at + 1)) };
}

interface Chosen extends ChosenBucket {
  root?: string | undefined;
  folder?: string | undefined;
  dedupe?: string | undefined;
  filter?: string[] | undefined;
  conversation?: 'new' | 'same' | undefined;
  project?: string | undefined;
  profile?: string | undefined;
  recipe?: string | undefined;
  value?: string[] | undefined;
  budget?: string;
  'decision-timeout'?: string;
  'decision-answer'?: string;
}

function readFolder({ root, folder: path, pattern }: Pick<Chosen, 'root' | 'folder' | 'pattern'>) {
  if (root !== undefined) return { root, path, pattern };
  if (path !== undefined || pattern !== undefined)
    throw invalidField('--root', 'is needed by --folder and, unless options of a bucket are given, by --pattern');
  return undefined;
}

function readSettings({
  dedupe,
  filter,
  conversation,
  project,
  profile,
  root,
  folder: path,
  pattern,
  recipe,
  value,
  ...more
}: Chosen) {
  const folder = readFolder({ root, folder: path, pattern: namesBucket(more) ? undefined : pattern });
  const source = { recipe_id: recipe, values: readValues({ value }) };
  const bounds = { budget: readBudget(more), decision_timeout: readDecisionTimeout(more) };
  const conditions = filter?.map(readCondition);
  return { dedupe, filter: conditions, folder, conversation, project_id: project, agent_profile: profile, ...bounds, ...source };
}

type Shown = ResultOf<'trigger.create'>['trigger'];

/** The URL, address, folder, or bucket of a trigger; without an address if the service no longer receives mail. */
function describePlace({ url, address, folder, bucket }: Shown): string {
  if (bucket) return `${bucket.endpoint}/${bucket.name}/${bucket.prefix}${bucket.pattern}`;
  if (folder) return [folder.root, folder.path, folder.pattern].filter((part) => part !== '').join('/');
  return url ?? address ?? 'no address: the service receives no mail';
}

/** Where a trigger is reached, and on a second line the secret if one was generated. */
function describeTrigger(trigger: Shown): string {
  const { secret } = trigger.verification;
  return [describePlace(trigger), ...(secret === undefined ? [] : [secret])].join('\n');
}

const create = defineRequest('trigger create', 'trigger.create', {
  summary: 'Create a URL, or an address for mail, that starts tasks, and print it; or watch a folder of the server or a bucket.',
  options: {
    ...triggerOptions,
    type: {
      type: 'string',
      choices: ['http', 'email', 'folder', 'bucket'],
      about: 'What starts its tasks: requests (default), mail, files, or objects of a bucket.',
    },
  },
  details: 'With a --sender other than none, the secret for the sender is generated and printed once, in the second line.',
  examples: [
    ['trigger create --name Bugs --template "Look into {{/issue/title}}" --sender github', 'for a webhook of GitHub'],
    ['trigger create --name Help --template "Answer {{from}}: {{text}}" --type email', 'for mail, where the service receives it'],
    [
      'trigger create --name Scans --template "File {{name}}" --type folder --root drop --pattern "*.pdf"',
      'for files of the server',
    ],
    [
      'trigger create --name Scans --template "File {{name}}" --type bucket --endpoint https://s3.example.com --bucket scans --access-key ID --secret-key-stdin < key.txt',
      'for objects of a bucket',
    ],
  ],
  async input({ options }, shell) {
    const { sender = 'none', header, type } = options;
    const template = options.recipe === undefined ? requireOption(options, 'template') : options.template;
    const named = { type, name: requireOption(options, 'name'), message_template: template };
    return {
      ...named,
      verification: { type: sender, header },
      ...readSettings(options),
      bucket: await readBucket(options, shell),
    };
  },
  report: ({ trigger }) => ({ text: describeTrigger(trigger) }),
});

const list = defineRequest('trigger list', 'trigger.list', {
  summary: 'List the triggers of an account, newest first.',
  examples: [['trigger list', 'their IDs, senders, and names']],
  input: () => ({ limit: 100 }),
  report: reportRows('no triggers', {
    ...columns.id,
    ...columns.status,
    SENDER: ({ type, verification }) => (type === 'http' ? verification.type : type),
    ...columns.created,
    NAME: ({ name }) => cleanLine(name, 100),
  }),
});

const show = defineRequest('trigger show', 'trigger.detail', {
  summary: 'Show the URL or the address of a trigger.',
  args: { TRIGGER_ID: 'Trigger ID, as shown by trigger list.' },
  examples: [['trigger show 0Ab… --json', 'with all settings']],
  report: ({ trigger }) => ({ text: describePlace(trigger) }),
});

const update = defineRequest('trigger update', 'trigger.update', {
  summary: 'Change a trigger; omitted settings stay unchanged.',
  args: { TRIGGER_ID: 'Trigger ID, as shown by trigger list.' },
  options: {
    ...triggerOptions,
    status: { type: 'string', choices: ['active', 'paused'], about: 'A paused trigger refuses what it is sent.' },
    'rotate-secret': { type: 'boolean', about: 'Replace the secret by a generated one and print it.' },
    'rotate-url': { type: 'boolean', about: 'Replace the URL or address; the one before it ends at once.' },
  },
  details: 'Prints the URL or address, and in the second line a new secret.',
  examples: [['trigger update 0Ab… --status paused', 'it starts nothing until it is active again']],
  async input({ options, args }, shell) {
    const { name, template, sender, header, status } = options;
    const verification = sender === undefined ? undefined : { type: sender, header };
    const rotations = { rotate_secret: options['rotate-secret'], rotate_url: options['rotate-url'] };
    return {
      trigger_id: args.TRIGGER_ID,
      name,
      message_template: template,
      verification,
      status,
      ...rotations,
      ...readSettings(options),
      bucket: await readBucket(options, shell),
    };
  },
  report: ({ trigger }) => ({ text: describeTrigger(trigger) }),
});

const remove = defineRequest('trigger delete', 'trigger.delete', {
  summary: 'Delete a trigger; its URL or address ends at once.',
  args: { TRIGGER_ID: 'Trigger ID, as shown by trigger list.' },
  examples: [['trigger delete 0Ab…', 'tasks that it started stay']],
  report: reportDone('deleted'),
});

const events = defineRequest('trigger events', 'trigger.events', {
  summary: 'List what a trigger was sent, and what came of it, newest first.',
  args: { TRIGGER_ID: 'Trigger ID, as shown by trigger list.' },
  examples: [['trigger events 0Ab…', 'of the last 100 deliveries']],
  input: ({ args }) => ({ trigger_id: args.TRIGGER_ID, limit: 100 }),
  report: reportRows('nothing was sent', {
    ...columns.id,
    ...columns.created,
    OUTCOME: ({ outcome }) => outcome,
    TASK: ({ task_id }) => task_id ?? '',
    WHY: ({ error, notes }) => cleanLine(error ?? notes[0] ?? '', 100),
  }),
});

const replay = defineRequest('trigger replay', 'trigger.replay', {
  summary: 'Start a task from a past delivery again, and print its ID.',
  args: { EVENT_ID: 'Event ID, as shown by trigger events.' },
  examples: [['trigger replay 0Ab…', 'with the template of now']],
  report: ({ task_id }) => ({ text: task_id }),
});

const attempt = defineRequest('trigger try', 'trigger.try', {
  summary: 'Start a task as if a sender had sent this body, and print its ID.',
  args: { TRIGGER_ID: 'Trigger ID, as shown by trigger list.', BODY: 'The body, JSON or text.' },
  examples: [[`trigger try 0Ab… '{"issue":{"title":"Crash"}}'`, 'without a signature']],
  input: ({ args }) => ({ trigger_id: args.TRIGGER_ID, body: args.BODY }),
  report: ({ task_id }) => ({ text: task_id }),
});

/** `errand trigger …` */
export const triggerCommands = [create, list, show, update, remove, events, replay, attempt];
