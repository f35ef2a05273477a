import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../../exit-code.ts';
import { limitOption, readLimit } from '../../input/options.ts';
import { columns, reportRows } from '../../output/print.ts';
import type { ResultOf } from '../../transport/operations.ts';
import { defineRequest, reportDone } from '../request-command.ts';

const [ofTask, ofComment, text] = [
  { TASK_ID: 'Task ID.' },
  { COMMENT_ID: 'ID of the comment, as shown by comment list.' },
  { TEXT: 'Text of the comment; @ann@example.com mentions a member of the team.' },
] as const;

type Comment = ResultOf<'task.listComments'>['data'][number];

const add = defineRequest('comment add', 'task.comment', {
  summary: 'Write a comment on a task, for people; the agent never sees it.',
  args: { ...ofTask, ...text },
  options: { on: { type: 'string', value: 'EVENT', about: 'ID of the message that it is about (default: the whole task).' } },
  examples: [['comment add 0Ab… "@ann@example.com please check the figures"', 'Ann is notified']],
  input: ({ args, options }) => ({ task_id: args.TASK_ID, text: args.TEXT, event_id: options.on }),
  report: ({ comment }) => ({ text: comment.id }),
});

const list = defineRequest('comment list', 'task.listComments', {
  summary: 'List the comments on a task, the latest first.',
  args: ofTask,
  options: limitOption,
  examples: [['comment list 0Ab…', 'who wrote what']],
  input: ({ args, options }) => ({ task_id: args.TASK_ID, limit: readLimit(options) }),
  report: reportRows('no comments', {
    ...columns.id,
    ...columns.created,
    AUTHOR: ({ email, user_id: id }: Comment) => cleanLine(email ?? id, 60),
    TEXT: ({ text: words, edited_at: edited }) => `${cleanLine(words, 100)}${edited === undefined ? '' : ' (edited)'}`,
  }),
});

const edit = defineRequest('comment edit', 'task.updateComment', {
  summary: 'Change a comment of yours.',
  args: { ...ofTask, ...ofComment, ...text },
  examples: [['comment edit 0Ab… 0Cd… "The figures are right."', 'marks it as edited']],
  report: ({ comment }) => ({ text: `edited ${comment.id}` }),
});

const remove = defineRequest('comment delete', 'task.deleteComment', {
  summary: 'Delete a comment of yours, or any on a task of yours.',
  args: { ...ofTask, ...ofComment },
  examples: [['comment delete 0Ab… 0Cd…', 'for good']],
  report: reportDone('deleted'),
});

/** `errand comment …` */
export const commentCommands = [add, list, edit, remove];

const handOver = defineRequest('task hand-over', 'task.handOver', {
  summary: 'Hand a task over to a member of the team, or take it back.',
  args: ofTask,
  options: {
    to: { type: 'string', value: 'ACCOUNT', about: 'ID of the member’s account, as shown by team members.' },
    back: { type: 'boolean', about: 'Take the task back, or give back one that was handed over to you.' },
  },
  examples: [
    ['task hand-over 0Ab… --to 0Cd…', 'this member acts in the task; it has to be shared with the team'],
    ['task hand-over 0Ab… --back', 'only its owner acts in it again'],
  ],
  input({ options: { to, back }, args }) {
    if ((to === undefined) === (back !== true)) throw new UsageFault('give either --to ACCOUNT or --back');
    return { task_id: args.TASK_ID, account_id: to ?? null };
  },
  report: ({ task }, { options }) => ({ text: `${options.back ? 'taken back' : 'handed over'} ${task.id}` }),
});

const assigned = defineRequest('task assigned', 'task.listAssigned', {
  summary: 'List the tasks that members of the team have handed over to an account.',
  options: limitOption,
  examples: [['task assigned', 'the latest first']],
  input: ({ options }) => ({ limit: readLimit(options) }),
  report: reportRows('no tasks', {
    ...columns.id,
    ...columns.status,
    ...columns.created,
    TITLE: ({ title }) => cleanLine(title, 80),
  }),
});

/** `errand task hand-over`, `errand task assigned` */
export const handOverCommands = [handOver, assigned];
