import { invalidField } from '@errand/base/fault.ts';
import { isConfined } from '../../rules/accounts/access.ts';
import { createTaskConfig, changeTaskConfig, type NamedTaskConfig } from '../../rules/tasks/task-config.ts';
import type { TaskConfig } from '../../rules/events/task-event.ts';
import type { RequestedNames } from '../../rules/schedules/task-request.ts';
import type { Project } from '../../store/projects/projects.ts';
import { checkConnectors } from '../connectors/connector-object.ts';
import type { Context } from '../contract/operation.ts';
import { isLongerThan } from '../contract/text-length.ts';
import { checkSkills } from '../skills/skill-object.ts';

/** Limit of names in one field. */
const maxNames = 100;
/** The longest instructions, in characters; projects have the same limit. */
const maxInstructionsLength = 20_000;

function readInstructions({ instructions = '' }: RequestedNames): string {
  if (isLongerThan(instructions, maxInstructionsLength))
    throw invalidField('message.instructions', `must have at most ${maxInstructionsLength} characters`);
  return instructions.toWellFormed();
}

function distinct(field: string, names: readonly string[] = []): readonly string[] {
  if (names.length > maxNames) throw invalidField(field, `must have at most ${maxNames} items`);
  return [...new Set(names)];
}

async function readNames(message: RequestedNames, projectId: string | null, context: Context): Promise<NamedTaskConfig> {
  const skills = distinct('message.enable_skills', message.enable_skills);
  const forcedSkills = distinct('message.force_skills', message.force_skills);
  await checkSkills({ 'message.enable_skills': skills, 'message.force_skills': forcedSkills }, projectId, context);
  const named = distinct('message.connectors', message.connectors);
  const instructions = readInstructions(message);
  return { connectors: await checkConnectors('message.connectors', named, context), skills, forcedSkills, instructions };
}

/** How a message changes the task config; 400 for names not available to the account. */
export async function readChange(message: RequestedNames, projectId: string | null, context: Context): Promise<TaskConfig> {
  return changeTaskConfig(await readNames(message, projectId, context));
}

/** The task config of a new task, from its message and project; 400 for names not available to the account. */
export async function readTaskConfig(
  message: RequestedNames,
  project: Project | null,
  memory: boolean | undefined,
  context: Context,
): Promise<TaskConfig> {
  const { memory: ofProject, ...config } = createTaskConfig(await readNames(message, project?.id ?? null, context), project);
  // Memory belongs to all tasks of the account, of which such a caller may know only some.
  const isOff = isConfined(context.principal) || (memory === undefined ? ofProject === 'off' : !memory);
  return isOff ? { ...config, memory: 'off' } : config;
}
