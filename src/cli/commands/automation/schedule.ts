import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../../exit-code.ts';
import type { OptionTable } from '../../input/command-shape.ts';
import {
  budgetOption,
  decisionOptions,
  priorityOption,
  readBudget,
  readDecisionTimeout,
  readValues,
  recipeOptions,
  requireOption,
} from '../../input/options.ts';
import { columns, formatTime, reportRows } from '../../output/print.ts';
import type { ResultOf } from '../../transport/operations.ts';
import { defineRequest, reportDone } from '../request-command.ts';

type ScheduleItem = ResultOf<'schedule.list'>['data'][number];

const scheduleIdArgument = { SCHEDULE_ID: 'Schedule ID, as shown by schedule list.' } as const;

const timeAbout = 'such as 2026-12-31T09:00:00Z';
const scheduleOptions = {
  name: { type: 'string', value: 'NAME', about: 'Name of the schedule, and title of its tasks.' },
  message: { type: 'string', value: 'TEXT', about: 'Message that its tasks begin with.' },
  ...recipeOptions,
  cron: { type: 'string', value: 'FIELDS', about: 'Five fields: minute, hour, day of the month, month, day of the week.' },
  every: { type: 'string', value: 'SECONDS', about: 'Run at intervals of this many seconds.' },
  at: { type: 'string', value: 'TIME', about: `Run once at this time, ${timeAbout}.` },
  zone: { type: 'string', value: 'ZONE', about: 'Time zone of --cron, such as Europe/Berlin (default: UTC).' },
  start: { type: 'string', value: 'TIME', about: `Not before this time, ${timeAbout}.` },
  end: { type: 'string', value: 'TIME', about: `Not after this time, ${timeAbout}.` },
  project: { type: 'string', value: 'ID', about: 'Project of its tasks.' },
  profile: { type: 'string', value: 'PROFILE', about: 'Agent profile of its tasks.' },
  ...budgetOption,
  ...priorityOption,
  ...decisionOptions,
  conversation: { type: 'string', choices: ['new', 'same'], about: 'A task for each run (default), or one for all.' },
  overlap: {
    type: 'string',
    choices: ['skip', 'queue', 'parallel'],
    about: 'What a run does while an earlier task is running (default: skip).',
  },
  'catch-up': {
    type: 'string',
    choices: ['none', 'last', 'all'],
    about: 'Which runs are made up for after a time without the service (default: last).',
  },
} as const satisfies OptionTable;

type Options = { [Name in Exclude<keyof typeof scheduleOptions, 'value'>]?: string } & { value?: string[] };

/** Seconds since the epoch. */
function readTime(name: 'at' | 'start' | 'end', options: Options): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new UsageFault(`--${name} takes a time, ${timeAbout}`);
  return Math.floor(ms / 1000);
}

function readSeconds({ every }: Options): number | undefined {
  if (every === undefined) return undefined;
  if (!/^\d{1,9}$/.test(every)) throw new UsageFault('--every takes a number of seconds');
  return Number(every);
}

function readOptions(options: Options) {
  const { name, message, cron, zone, project, profile, conversation, overlap, priority } = options;
  return {
    ...{ name, message, cron, interval_seconds: readSeconds(options), run_at: readTime('at', options), time_zone: zone },
    ...{ start_at: readTime('start', options), end_at: readTime('end', options), project_id: project },
    ...{ agent_profile: profile, conversation, overlap, catch_up: options['catch-up'], priority },
    budget: readBudget(options),
    decision_timeout: readDecisionTimeout(options),
    ...{ recipe_id: options.recipe, values: readValues(options) },
  };
}

/** When it runs: `0 9 * * * Europe/Berlin`, `every 60 s`, `once`. */
function describeTimes({ cron, interval_seconds: seconds, time_zone: zone }: ScheduleItem): string {
  if (cron !== null) return zone === 'UTC' ? cron : `${cron} ${zone}`;
  return seconds === null ? 'once' : `every ${seconds} s`;
}

function formatNext(seconds: number | null): string {
  return seconds === null ? '-' : formatTime(seconds);
}

const create = defineRequest('schedule create', 'schedule.create', {
  summary: 'Start tasks at set times; prints the ID of the schedule.',
  options: scheduleOptions,
  examples: [
    [
      'schedule create --name Report --message "Write the daily report." --cron "0 9 * * mon-fri" --zone Europe/Berlin',
      'every working day at nine',
    ],
    ['schedule create --name News --recipe 0Ab… --value topic=AI --cron "0 8 * * *"', 'a recipe, filled in'],
  ],
  input({ options }) {
    requireOption(options, 'name');
    if (options.recipe === undefined) requireOption(options, 'message');
    return readOptions(options);
  },
  report: ({ schedule }) => ({ text: schedule.id }),
});

const list = defineRequest('schedule list', 'schedule.list', {
  summary: 'List the schedules of an account, newest first.',
  examples: [['schedule list', 'their times, next runs and last outcomes']],
  input: () => ({ limit: 100 }),
  report: reportRows('no schedules', {
    ...columns.id,
    ...columns.status,
    'NEXT (UTC)': ({ next_run_at: next }) => formatNext(next),
    LAST: ({ last_outcome: outcome }) => outcome ?? '-',
    TIMES: describeTimes,
    NAME: ({ name }) => cleanLine(name, 100),
  }),
});

const show = defineRequest('schedule show', 'schedule.detail', {
  summary: 'Show a schedule and the times of its next ten runs.',
  args: scheduleIdArgument,
  examples: [['schedule show 0Ab…', 'its settings and next runs']],
  report({ schedule }) {
    const next = schedule.next_runs.map((time) => `  ${formatTime(time)} UTC`);
    const lines = [`${schedule.name}: ${describeTimes(schedule)}, ${schedule.status}, ${schedule.runs} runs so far`];
    return { text: [...lines, ...(next.length > 0 ? ['next runs:', ...next] : ['no next run'])].join('\n') };
  },
});

const update = defineRequest('schedule update', 'schedule.update', {
  summary: 'Change a schedule; omitted settings stay unchanged.',
  args: scheduleIdArgument,
  options: scheduleOptions,
  examples: [['schedule update 0Ab… --cron "0 8 * * *"', 'an hour earlier from now on']],
  input: ({ options, args }) => ({ schedule_id: args.SCHEDULE_ID, ...readOptions(options) }),
  report: ({ schedule }) => ({ text: `updated ${schedule.id}` }),
});

const pause = defineRequest('schedule pause', 'schedule.update', {
  summary: 'Pause a schedule; runs that fall into the pause are left out.',
  args: scheduleIdArgument,
  examples: [['schedule pause 0Ab…', 'nothing runs until schedule resume']],
  input: ({ args }) => ({ schedule_id: args.SCHEDULE_ID, status: 'paused' }),
  report: reportDone('paused'),
});

const resume = defineRequest('schedule resume', 'schedule.update', {
  summary: 'Resume a paused schedule.',
  args: scheduleIdArgument,
  examples: [['schedule resume 0Ab…', 'it runs again from its next time on']],
  input: ({ args }) => ({ schedule_id: args.SCHEDULE_ID, status: 'active' }),
  report: reportDone('resumed'),
});

const remove = defineRequest('schedule delete', 'schedule.delete', {
  summary: 'Delete a schedule with its history; its tasks stay.',
  args: scheduleIdArgument,
  examples: [['schedule delete 0Ab…', 'it starts nothing more']],
  report: reportDone('deleted'),
});

const run = defineRequest('schedule run', 'schedule.runNow', {
  summary: 'Run a schedule now, beside its own times; prints the ID of the task.',
  args: scheduleIdArgument,
  examples: [['schedule run 0Ab…', 'also if it is paused']],
  report: ({ task_id: taskId }) => ({ text: taskId }),
});

const runs = defineRequest('schedule runs', 'schedule.runs', {
  summary: 'List the runs of a schedule with outcomes and costs, newest first.',
  args: scheduleIdArgument,
  examples: [['schedule runs 0Ab…', 'which have started, and why others have not']],
  input: ({ args }) => ({ schedule_id: args.SCHEDULE_ID, limit: 100 }),
  report: reportRows('no runs', {
    'DUE (UTC)': ({ due_at: due }) => formatTime(due),
    OUTCOME: ({ outcome }) => outcome ?? 'waiting',
    CREDITS: ({ credit_usage: credits }) => String(credits),
    TASK: ({ task_id: taskId }) => taskId ?? '-',
    REASON: ({ reason }) => cleanLine(reason ?? '', 100),
  }),
});

/** `errand schedule …` */
export const scheduleCommands = [create, list, show, update, pause, resume, remove, run, runs];
