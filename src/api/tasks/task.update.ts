import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import { deciderOf } from '../../rules/inbox/decider.ts';
import { updateTask } from '../../store/tasks/task-update.ts';
import { optional, shareVisibility, taskId } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';
import { budgetChange, readBudget } from '../budgets/budget-field.ts';
import { metadataField, readMetadata } from './metadata-field.ts';
import { priorityChange } from '../limits/priority-field.ts';
import { presentReceipt, taskReceipt } from './task-object.ts';
import { readTitle } from './title-field.ts';

export const taskUpdate = defineOperation('POST', 'task.update', {
  summary: "Updates a task's title, visibility, budget, priority, and place in the lists.",
  details: [
    'Omitted fields keep their values; a metadata key that is null is deleted. Sharing a private task creates a new share_url each time.',
    'A task that waits for its budget resumes with a higher one, or without one: null removes it.',
  ].join(' '),
  access: 'tasks',
  request: z.object({
    task_id: taskId,
    title: optional(z.string()).meta({ description: 'At most 200 characters.' }),
    share_visibility: optional(shareVisibility),
    metadata: metadataField,
    budget: budgetChange,
    priority: priorityChange,
    enable_visible_in_task_list: optional(z.boolean()).meta({
      description: 'Whether the web application lists the task.',
    }),
    is_pinned: optional(z.boolean()).meta({ description: 'Whether the web application lists it above all others.' }),
    is_archived: optional(z.boolean()).meta({
      description: 'Whether the web application lists it among the archived tasks only; task.list has it either way.',
    }),
  }),
  response: taskReceipt,
  async handle(input, context) {
    const title = readTitle(input.title);
    if (input.title !== undefined && title === undefined) throw invalidField('title', 'must not be empty');
    const { share_visibility: visibility, enable_visible_in_task_list: isVisible } = input;
    const task = await context.write(updateTask, {
      ...keyOfTask(input.task_id, context),
      now: context.now,
      decider: deciderOf(context.principal),
      title: title ?? null,
      isHidden: isVisible === undefined ? null : !isVisible,
      isPinned: input.is_pinned ?? null,
      isArchived: input.is_archived ?? null,
      metadata: readMetadata(input.metadata),
      ...(input.budget !== undefined && { budget: readBudget(input.budget ?? undefined, context) }),
      priority: input.priority ?? null,
      share: visibility ? { visibility, freshShareId: randomBase62(22) } : null,
    });
    return presentReceipt(task, context.urls);
  },
});
