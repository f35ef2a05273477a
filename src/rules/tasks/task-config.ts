import type { TaskConfig } from '../events/task-event.ts';

/** What a message names. Nothing and an empty list say the same: as it was. */
export interface NamedTaskConfig {
  connectors: readonly string[];
  skills: readonly string[];
  forcedSkills: readonly string[];
  /** For the agent; empty for none. */
  instructions?: string;
}

/** What a project gives the tasks that are made in it; an empty list gives nothing. */
export interface ProjectTaskConfig {
  id: string;
  instruction: string;
  connectors: readonly string[];
  skills: readonly string[];
  actions: 'allow' | 'refuse';
}

/** What a message changes of what its task works with. */
export function changeTaskConfig({ connectors, skills, forcedSkills, instructions = '' }: NamedTaskConfig): TaskConfig {
  return {
    ...(connectors.length > 0 && { connectors }),
    ...(skills.length > 0 && { skills }),
    ...(forcedSkills.length > 0 && { forcedSkills }),
    ...(instructions !== '' && { instructions }),
  };
}

/** What a new task works with: what its message names, else what its project has, else what the account has. */
export function createTaskConfig(named: NamedTaskConfig, project: ProjectTaskConfig | null): TaskConfig {
  const change = changeTaskConfig(named);
  if (!project) return change;
  const { id: projectId, instruction, connectors, skills, actions } = project;
  return {
    projectId,
    ...(instruction !== '' && { instruction }),
    ...(actions === 'refuse' && { actions }),
    ...changeTaskConfig({ connectors, skills, forcedSkills: [] }),
    ...change,
  };
}

/** Whether a task works with a connector of its account: with the usual ones where none are chosen, and with none that is not granted. */
export function usesConnector(
  { id, isDefault }: { id: string; isDefault: boolean },
  { connectors: chosen, connectorGrant: granted }: Pick<TaskConfig, 'connectors' | 'connectorGrant'>,
): boolean {
  return (chosen === undefined ? isDefault : chosen.includes(id)) && (granted === undefined || granted.includes(id));
}

/** Whether a task is offered a skill that its account may use: any where none are chosen, and in any case those it has to use. */
export function offersSkill(id: string, { skills, forcedSkills = [] }: Pick<TaskConfig, 'skills' | 'forcedSkills'>): boolean {
  return skills === undefined || skills.includes(id) || forcedSkills.includes(id);
}
