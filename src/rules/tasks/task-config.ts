import type { TaskConfig } from '../events/task-event.ts';

/** The names in a message. A missing and an empty list both mean no change. */
export interface NamedTaskConfig {
  connectors: readonly string[];
  skills: readonly string[];
  forcedSkills: readonly string[];
  /** Instructions for the agent; empty for none. */
  instructions?: string;
}

/** What a project adds to its new tasks; an empty list adds nothing. */
export interface ProjectTaskConfig {
  id: string;
  instruction: string;
  connectors: readonly string[];
  skills: readonly string[];
  actions: 'allow' | 'refuse';
  /** Whether its tasks see memory. */
  memory: boolean;
  /** Prepares the sandboxes of its tasks; '' for none. */
  setupScript: string;
}

/** The task config changes of a message. */
export function changeTaskConfig({ connectors, skills, forcedSkills, instructions = '' }: NamedTaskConfig): TaskConfig {
  return {
    ...(connectors.length > 0 && { connectors }),
    ...(skills.length > 0 && { skills }),
    ...(forcedSkills.length > 0 && { forcedSkills }),
    ...(instructions !== '' && { instructions }),
  };
}

/** The task config of a new task: from its message, else its project, else the account. */
export function createTaskConfig(named: NamedTaskConfig, project: ProjectTaskConfig | null): TaskConfig {
  const change = changeTaskConfig(named);
  if (!project) return change;
  const { id: projectId, instruction, connectors, skills, actions, memory, setupScript } = project;
  return {
    projectId,
    ...(instruction !== '' && { instruction }),
    ...(actions === 'refuse' && { actions }),
    ...(!memory && { memory: 'off' as const }),
    ...(setupScript !== '' && { setup: 'on' as const }),
    ...changeTaskConfig({ connectors, skills, forcedSkills: [] }),
    ...change,
  };
}

/** Whether a task uses a connector of its account: the default ones if none are chosen, and only granted ones. */
export function usesConnector(
  { id, isDefault }: { id: string; isDefault: boolean },
  { connectors: chosen, connectorGrant: granted }: Pick<TaskConfig, 'connectors' | 'connectorGrant'>,
): boolean {
  return (chosen === undefined ? isDefault : chosen.includes(id)) && (granted === undefined || granted.includes(id));
}

/** Whether a skill of its account is available to a task: any if none are chosen, and always the forced ones. */
export function offersSkill(id: string, { skills, forcedSkills = [] }: Pick<TaskConfig, 'skills' | 'forcedSkills'>): boolean {
  return skills === undefined || skills.includes(id) || forcedSkills.includes(id);
}

/** A task, as far as it matters for what comes with its team: policies and skills. */
export interface TeamTask {
  accountId: string;
  taskId: string;
  /** Whether its account was in a team when the task was claimed; absent if that is unknown. */
  hasTeams?: boolean | undefined;
}

/** The same for tasks that have the same policies and skills: all in a project of an account that is in no team, otherwise each its own. */
export function teamKeyOf({ accountId, taskId, hasTeams }: TeamTask, projectId: string | null): string {
  return `${hasTeams === false ? accountId : taskId} ${projectId ?? ''}`;
}
