import { z } from 'zod';
import type { PlanStep } from '../../rules/events/task-event.ts';
import { readAgentTitle } from '../../rules/tasks/title.ts';
import { defineTool } from '../toolbox/tool.ts';

const statuses = ['todo', 'doing', 'done', 'failed'] as const;

const step = z.strictObject({
  title: z.string().trim().min(1).max(200),
  status: z.enum(statuses),
});

const input = z.strictObject({
  steps: z.array(step).min(1).max(30),
  /** What to call the task. Only the first one counts, and any text will do: a bad one must not cost a call. */
  task: z.string().optional(),
});

type StatedStep = z.infer<typeof step>;

function timeStep({ title, status }: StatedStep, before: PlanStep | undefined, nowMs: number): PlanStep {
  if (status === 'todo') return { title, status, startedAt: null, endedAt: null };
  const startedAt = before?.startedAt ?? nowMs;
  if (status === 'doing') return { title, status, startedAt, endedAt: null };
  const endedAt = before?.status === status ? before.endedAt : null;
  return { title, status, startedAt, endedAt: endedAt ?? Math.max(startedAt, nowMs) };
}

/** The given plan with times: a step with the same title keeps its start time, and its end time unless its status changed. */
export function mergePlan(previous: readonly PlanStep[], stated: readonly StatedStep[], nowMs: number): PlanStep[] {
  const known = [...previous];
  return stated.map((statedStep) => {
    const index = known.findIndex(({ title }) => title === statedStep.title);
    // Removed on match, so that two steps with the same title each keep their own times.
    const before = index < 0 ? undefined : known.splice(index, 1)[0];
    return timeStep(statedStep, before, nowMs);
  });
}

export const updatePlan = defineTool({
  name: 'update_plan',
  description: 'Shows the user your whole plan, titles unchanged; task: its name, 3-6 words.',
  input,
  effect: 'retry',
  summarize: ({ steps }) => {
    const current = steps.find(({ status }) => status === 'doing') ?? steps.at(-1);
    return { brief: 'Updating the plan', action: 'Updating plan', param: current?.title ?? '' };
  },
  run({ steps, task = '' }, { plan, now }) {
    const done = steps.filter(({ status }) => status === 'done').length;
    const output = `The plan is shown: ${done} of ${steps.length} steps done.`;
    const taskTitle = readAgentTitle(task);
    const named = taskTitle === null ? {} : { taskTitle };
    return Promise.resolve({ status: 'success', output, plan: mergePlan(plan, steps, now()), ...named });
  },
});
