import type { Request, Schedule } from '@errand/client';
import { clearing } from '../api/errand.ts';
import { readRecipeSource, type RecipeDraft, toSource } from '../automation/recipe-choice.tsx';
import { readTaskSettings, type TaskSettings, toTaskFields } from '../automation/task-settings.tsx';
import { firstPlan, type Plan, readPlan, toTiming } from './plan.ts';

/** What is entered about a schedule. */
export interface ScheduleForm {
  name: string;
  message: string;
  recipe: RecipeDraft;
  plan: Plan;
  conversation: Schedule['conversation'];
  overlap: Schedule['overlap'];
  catchUp: Schedule['catch_up'];
  settings: TaskSettings;
}

/** The form of a schedule; null for a new one. */
export function readForm(schedule: Schedule | null): ScheduleForm {
  return {
    name: schedule?.name ?? '',
    message: schedule?.message.content ?? '',
    recipe: readRecipeSource(schedule),
    plan: schedule ? readPlan(schedule) : firstPlan,
    conversation: schedule?.conversation ?? 'new',
    overlap: schedule?.overlap ?? 'skip',
    catchUp: schedule?.catch_up ?? 'last',
    settings: readTaskSettings(schedule),
  };
}

type Message = Schedule['message'];

function toFields({ name, conversation, overlap, catchUp, settings }: ScheduleForm) {
  return { name, conversation, overlap, catch_up: catchUp, ...toTaskFields(settings) };
}

/** What its tasks begin with; null where that stays as it is. */
function toBeginning({ recipe, message }: ScheduleForm, before: ScheduleForm, other: Omit<Message, 'content'>) {
  const known = { recipe: before.recipe, text: before.message };
  return toSource({ recipe, text: message }, known, (content) => ({ message: { ...other, content } }));
}

/** The request that creates the schedule. */
export function toNewSchedule(form: ScheduleForm): Request<'schedule.create'> {
  return clearing<'schedule.create'>({ ...toFields(form), ...toBeginning(form, readForm(null), {}), ...toTiming(form.plan) });
}

/** The request that changes it. The times count anew from the change, so that they are only sent if they are others; as is the message, which would lose its files. */
export function toScheduleChange(form: ScheduleForm, schedule: Schedule): Request<'schedule.update'> {
  const before = readForm(schedule);
  const isRetimed = JSON.stringify(toTiming(form.plan)) !== JSON.stringify(toTiming(before.plan));
  const { attachments: _, ...message } = schedule.message;
  return clearing<'schedule.update'>({
    schedule_id: schedule.id,
    ...toFields(form),
    ...toBeginning(form, before, message),
    ...(isRetimed && toTiming(form.plan)),
  });
}
