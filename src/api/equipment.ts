import { invalidField } from '../base/fault.ts';
import type { Equipment } from '../rules/task-event.ts';
import type { Project } from '../store/projects.ts';
import { checkConnectors } from './connector-object.ts';
import type { MessageInput } from './message.ts';
import type { Context } from './operation.ts';
import { checkSkills } from './skill-object.ts';

/** Names that one field may have. */
const maxNames = 100;

function distinct(field: string, names: readonly string[] = []): readonly string[] {
  if (names.length > maxNames) throw invalidField(field, `must have at most ${maxNames} items`);
  return [...new Set(names)];
}

function unlessEmpty<Field extends string>(field: Field, ids: readonly string[]): { [Name in Field]?: readonly string[] } {
  return ids.length === 0 ? {} : ({ [field]: ids } as { [Name in Field]: readonly string[] });
}

/** What a message changes of what its task works with; 400 for what the account may not use. */
export async function readChange(message: MessageInput, projectId: string | null, context: Context): Promise<Equipment> {
  const enabled = distinct('message.enable_skills', message.enable_skills);
  const forced = distinct('message.force_skills', message.force_skills);
  await checkSkills({ 'message.enable_skills': enabled, 'message.force_skills': forced }, projectId, context);
  const named = distinct('message.connectors', message.connectors);
  const connectors = await checkConnectors('message.connectors', named, context);
  return { ...unlessEmpty('connectors', connectors), ...unlessEmpty('skills', enabled), ...unlessEmpty('forcedSkills', forced) };
}

/** What a new task works with: what its message names, else what its project has, else what the account has. */
export async function readEquipment(message: MessageInput, project: Project | null, context: Context): Promise<Equipment> {
  const change = await readChange(message, project?.id ?? null, context);
  if (!project) return change;
  const { id: projectId, instruction, skills, actions, connectors } = project;
  const defaults = { ...unlessEmpty('connectors', connectors), ...unlessEmpty('skills', skills) };
  const rules = { ...(instruction !== '' && { instruction }), ...(actions === 'refuse' && { actions }) };
  return { projectId, ...rules, ...defaults, ...change };
}
