import { Fault } from '@errand/base/fault.ts';
import {
  lockAccount,
  type Row,
  type Script,
  type StoreOperation,
  selectAll,
  selectFirst,
  selectOne,
} from '../db/store-operation.ts';
import { flag, integer, json, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { countRow } from '../db/shared-rows.ts';
import type { ProjectKey } from './project-key.ts';
import { addSetups, type SetupFacts } from './project-setups.ts';

/** Maximum number of projects per account: they are listed in one response. */
const maxProjects = 1000;

export interface Project {
  id: string;
  name: string;
  /** Prepended to the instructions of its tasks; '' for none. */
  instruction: string;
  /** Defaults for tasks whose first message names none. */
  connectors: readonly string[];
  skills: readonly string[];
  actions: ProjectActions;
  /** Whether its tasks see memory. */
  memory: boolean;
  /** Prepares the sandboxes of its tasks; '' for none. */
  setupScript: string;
  /** Days after their end that its tasks are deleted; 0 for no limit of its own. */
  retentionDays: number;
  createdAtMs: number;
}

/** A project, and what became of its setup script. */
export type ShownProject = Project & { setup: SetupFacts };

/** Whether its tasks perform actions that need confirmation when nobody can be asked. */
export const projectActions = ['allow', 'refuse'] as const;
export type ProjectActions = (typeof projectActions)[number];

const projectRow = tableCodec('projects', {
  id: text,
  name: text,
  instruction: text,
  connectors: json<string[]>(),
  skills: json<string[]>(),
  actions: oneOf<ProjectActions>(),
  memory: flag,
  setup_script: text,
  retention_days: integer,
  created_at: integer,
});
const { read: readProject, columns } = projectRow;

export function projectNotFound(): Fault {
  return new Fault('not_found', 'project not found');
}

export interface CreateProjectArgs extends ProjectKey {
  name: string;
  instruction: string;
  connectors: readonly string[];
  skills: readonly string[];
  actions: ProjectActions;
  memory: boolean;
  setupScript: string;
  retentionDays: number;
  now: number;
}

/** Part of reading one project. */
function* readShown(accountId: string, row: Row): Script<ShownProject> {
  const project = readProject(row);
  const [shown] = yield* addSetups(accountId, project.id, [project]);
  if (!shown) throw projectNotFound();
  return shown;
}

export const createProject: StoreOperation<CreateProjectArgs, ShownProject> = {
  name: 'projects.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, projectId, name, instruction, connectors, skills, actions, memory, setupScript, retentionDays, now }) {
    // The lock on the account's row serializes creation, so concurrent requests cannot exceed the limit.
    yield* lockAccount(accountId);
    const held = yield* selectOne('SELECT COUNT(*) AS count FROM projects WHERE account_id = ?', accountId);
    if (countRow.count(held) >= maxProjects) {
      throw new Fault('resource_exhausted', `An account can have ${maxProjects} projects.`);
    }
    const row = yield* selectOne(
      `INSERT INTO projects (account_id, id, name, instruction, connectors, skills, actions, memory, setup_script,
         retention_days, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
      accountId,
      projectId,
      name,
      instruction,
      JSON.stringify(connectors),
      JSON.stringify(skills),
      actions,
      memory ? 1 : 0,
      setupScript,
      ...[retentionDays, now, now],
    );
    return yield* readShown(accountId, row);
  },
};

/** The account's projects, newest first. */
export const listProjects: StoreOperation<string, ShownProject[]> = {
  name: 'projects.list',
  access: 'read',
  *run(accountId) {
    const rows = yield* selectAll(`SELECT ${columns} FROM projects WHERE account_id = ? ORDER BY id DESC`, accountId);
    return yield* addSetups(accountId, null, rows.map(readProject));
  },
};

export const getProject: StoreOperation<ProjectKey, Project> = {
  name: 'projects.get',
  access: 'read',
  *run({ accountId, projectId }) {
    const row = yield* selectFirst(`SELECT ${columns} FROM projects WHERE account_id = ? AND id = ?`, accountId, projectId);
    if (!row) throw projectNotFound();
    return readProject(row);
  },
};

export interface UpdateProjectArgs extends ProjectKey {
  now: number;
  /** Null leaves a field unchanged. */
  name: string | null;
  instruction: string | null;
  connectors: readonly string[] | null;
  skills: readonly string[] | null;
  actions: ProjectActions | null;
  memory: boolean | null;
  setupScript: string | null;
  retentionDays: number | null;
}

function jsonOrNull(ids: readonly string[] | null): string | null {
  return ids === null ? null : JSON.stringify(ids);
}

/** Changes the settings of future tasks of the project. */
export const updateProject: StoreOperation<UpdateProjectArgs, ShownProject> = {
  name: 'projects.update',
  access: 'write',
  keys: ({ projectId }) => [projectId],
  *run({ accountId, projectId, now, name, instruction, connectors, skills, actions, memory, setupScript, retentionDays }) {
    const row = yield* selectFirst(
      `UPDATE projects SET name = COALESCE(?, name), instruction = COALESCE(?, instruction),
       connectors = COALESCE(?, connectors), skills = COALESCE(?, skills),
       actions = COALESCE(?, actions), memory = COALESCE(CAST(? AS BIGINT), memory),
       setup_script = COALESCE(?, setup_script),
       retention_days = COALESCE(CAST(? AS BIGINT), retention_days), updated_at = ?
       WHERE account_id = ? AND id = ? RETURNING ${columns}`,
      name,
      instruction,
      jsonOrNull(connectors),
      jsonOrNull(skills),
      actions,
      memory === null ? null : Number(memory),
      ...[setupScript, retentionDays, now, accountId, projectId],
    );
    if (!row) throw projectNotFound();
    return yield* readShown(accountId, row);
  },
};
