import { describe, expect, it } from 'vitest';
import {
  createTaskConfig,
  changeTaskConfig,
  type NamedTaskConfig,
  offersSkill,
  type ProjectTaskConfig,
  usesConnector,
} from './task-config.ts';
import { messageEvents } from './task-command.ts';
import type { TaskConfig, TaskEvent, UserMessage } from '../events/task-event.ts';
import { emptyState, foldAll } from './task-state.ts';

/** Of the account: `usual` is a default connector, the others are there to be chosen. All are skills too. */
const all = ['usual', 'named', 'project', 'later'] as const;
const nothing: NamedTaskConfig = { connectors: [], skills: [], forcedSkills: [] };
const plainProject: ProjectTaskConfig = {
  id: 'p1',
  instruction: '',
  connectors: [],
  skills: [],
  actions: 'allow',
  memory: true,
  setupScript: '',
};
const message: UserMessage = { type: 'user_message', text: 'x', kind: 'text' };

/** What the task works with after messages that have changed it one after another. */
function fold(...changes: readonly TaskConfig[]): TaskConfig {
  const events = changes.flatMap((change): TaskEvent[] => messageEvents('running', message, change));
  return foldAll(
    events.map((event, index) => ({ seq: index + 1, atMs: index, event })),
    emptyState,
  ).taskConfig;
}

function listConnectors(taskConfig: TaskConfig): string {
  return all.filter((id) => usesConnector({ id, isDefault: id === 'usual' }, taskConfig)).join(' ') || 'none';
}

function listSkills(taskConfig: TaskConfig): string {
  const offered = all.filter((id) => offersSkill(id, taskConfig));
  return offered.length === all.length ? 'all' : offered.join(' ');
}

/** `-` is a field that is not there, `[]` an empty one; both reach the rule as an empty list, which the API is tested for. */
function read(cell: string): readonly string[] {
  return cell === '-' || cell === '[]' ? [] : cell.split(' ');
}

function readRows(table: string): string[][] {
  const lines = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return lines.filter((cells) => cells.length > 1).slice(1);
}

describe('the connectors of a task', () => {
  // Columns: connectors of its project, of the message that makes it, of the next message; what it works with then.
  const table = `
    project | create | next    | works with
    -       | -      | -       | usual
    -       | -      | []      | usual
    -       | -      | later   | later
    -       | -      | clear   | none
    -       | []     | -       | usual
    -       | []     | []      | usual
    -       | []     | later   | later
    -       | []     | clear   | none
    -       | named  | -       | named
    -       | named  | []      | named
    -       | named  | later   | later
    -       | named  | clear   | none
    []      | -      | -       | usual
    []      | -      | []      | usual
    []      | -      | later   | later
    []      | -      | clear   | none
    []      | []     | -       | usual
    []      | []     | []      | usual
    []      | []     | later   | later
    []      | []     | clear   | none
    []      | named  | -       | named
    []      | named  | []      | named
    []      | named  | later   | later
    []      | named  | clear   | none
    project | -      | -       | project
    project | -      | []      | project
    project | -      | later   | later
    project | -      | clear   | none
    project | []     | -       | project
    project | []     | []      | project
    project | []     | later   | later
    project | []     | clear   | none
    project | named  | -       | named
    project | named  | []      | named
    project | named  | later   | later
    project | named  | clear   | none
  `;

  it.each(readRows(table))(
    'for the project %s, the first message %s and the next %s are %s',
    (project, create, next, expected) => {
      const ofProject = project === '-' ? null : { ...plainProject, connectors: read(project ?? '') };
      const begun = createTaskConfig({ ...nothing, connectors: read(create ?? '') }, ofProject);
      const change = next === 'clear' ? { connectors: [] } : changeTaskConfig({ ...nothing, connectors: read(next ?? '') });
      expect(listConnectors(fold(begun, change))).toBe(expected);
    },
  );

  it('stay empty after they are cleared until a message names some', () => {
    const begun = createTaskConfig({ ...nothing, connectors: ['named'] }, null);
    expect(listConnectors(fold(begun, { connectors: [] }, changeTaskConfig(nothing)))).toBe('none');
    expect(listConnectors(fold(begun, { connectors: [] }, changeTaskConfig({ ...nothing, connectors: ['later'] })))).toBe(
      'later',
    );
  });

  it.each([
    [undefined, undefined, 'usual'],
    [undefined, [], 'none'],
    [undefined, ['usual', 'named'], 'usual'],
    [undefined, ['named'], 'none'],
    [[], undefined, 'none'],
    [[], ['named'], 'none'],
    [['named', 'later'], undefined, 'named later'],
    [['named', 'later'], [], 'none'],
    [['named', 'later'], ['later', 'usual'], 'later'],
    [['gone'], undefined, 'none'],
  ])('chosen %j and granted %j are %s', (connectors, connectorGrant, expected) => {
    expect(listConnectors({ ...(connectors && { connectors }), ...(connectorGrant && { connectorGrant }) })).toBe(expected);
  });
});

describe('the skills of a task', () => {
  // Columns: skills of its project; enable_skills and force_skills of its first message, enable_skills of the next.
  const table = `
    project | enable | force | next  | is offered
    -       | -      | -     | -     | all
    -       | []     | []    | []    | all
    -       | named  | -     | -     | named
    -       | named  | []    | []    | named
    -       | named  | usual | -     | usual named
    -       | -      | usual | -     | all
    -       | []     | usual | []    | all
    -       | named  | -     | later | later
    -       | named  | usual | later | usual later
    -       | -      | -     | later | later
    -       | -      | usual | later | usual later
    []      | -      | -     | -     | all
    []      | []     | []    | []    | all
    []      | named  | usual | later | usual later
    []      | -      | -     | later | later
    project | -      | -     | -     | project
    project | []     | []    | []    | project
    project | -      | usual | -     | usual project
    project | []     | usual | []    | usual project
    project | named  | -     | -     | named
    project | named  | usual | -     | usual named
    project | -      | -     | later | later
    project | named  | usual | later | usual later
  `;

  it.each(readRows(table))(
    'for the project %s, enabled %s, forced %s and enabled by the next message %s are %s',
    (project, enable, force, next, expected) => {
      const ofProject = project === '-' ? null : { ...plainProject, skills: read(project ?? '') };
      const named = { ...nothing, skills: read(enable ?? ''), forcedSkills: read(force ?? '') };
      const change = changeTaskConfig({ ...nothing, skills: read(next ?? '') });
      expect(listSkills(fold(createTaskConfig(named, ofProject), change))).toBe(expected);
    },
  );
});

it('a project adds its instruction and its rule for actions, whatever the message names, unless they are empty', () => {
  const project: ProjectTaskConfig = { ...plainProject, instruction: 'Be kind.', actions: 'refuse' };
  expect(createTaskConfig({ ...nothing, skills: ['named'] }, project)).toEqual({
    projectId: 'p1',
    instruction: 'Be kind.',
    actions: 'refuse',
    skills: ['named'],
  });
  expect(createTaskConfig(nothing, plainProject)).toEqual({ projectId: 'p1' });
  expect(createTaskConfig(nothing, null)).toEqual({});
});
