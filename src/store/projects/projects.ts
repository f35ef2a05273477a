import { Fault } from '@errand/base/fault.ts';
import { lockAccount, type StoreOperation, selectAll, selectFirst, selectOne, sql } from '../db/store-operation.ts';
import { integer, json, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { countRow } from '../db/shared-rows.ts';

/** Projects an account may have: they are listed in one answer. */
export const maxProjects = 1000;

export interface Project {
  id: string;
  name: string;
  /** Prepended to everything its tasks are told; '' for none. */
  instruction: string;
  /** Ids that its tasks get where their first message names none. */
  connectors: readonly string[];
  skills: readonly string[];
  actions: ProjectActions;
  createdAtMs: number;
}

/** Whether its tasks, where nobody can be asked, do what a person would be asked about. */
export const projectActions = ['allow', 'refuse'] as const;
export type ProjectActions = (typeof projectActions)[number];

export interface ProjectKey {
  accountId: string;
  projectId: string;
}

const projectRow = tableCodec('projects', {
  id: text,
  name: text,
  instruction: text,
  connectors: json<string[]>(),
  skills: json<string[]>(),
  actions: oneOf<ProjectActions>(),
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
  now: number;
}

export const createProject: StoreOperation<CreateProjectArgs, Project> = {
  name: 'projects.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, projectId, name, instruction, connectors, skills, actions, now }) {
    // With its row locked, projects of an account are made one after another and cannot pass the limit together.
    yield* lockAccount(accountId);
    const held = yield* selectOne('SELECT COUNT(*) AS count FROM projects WHERE account_id = ?', accountId);
    if (countRow.count(held) >= maxProjects) {
      throw new Fault('resource_exhausted', `An account can have ${maxProjects} projects.`);
    }
    yield [
      sql(
        `INSERT INTO projects (account_id, id, name, instruction, connectors, skills, actions, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        accountId,
        projectId,
        name,
        instruction,
        JSON.stringify(connectors),
        JSON.stringify(skills),
        actions,
        now,
        now,
      ),
    ];
    return { id: projectId, name, instruction, connectors, skills, actions, createdAtMs: now };
  },
};

/** The account's projects, newest first. */
export const listProjects: StoreOperation<string, Project[]> = {
  name: 'projects.list',
  access: 'read',
  *run(accountId) {
    const rows = yield* selectAll(`SELECT ${columns} FROM projects WHERE account_id = ? ORDER BY id DESC`, accountId);
    return rows.map(readProject);
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
  /** Null leaves a field as it is. */
  name: string | null;
  instruction: string | null;
  connectors: readonly string[] | null;
  skills: readonly string[] | null;
  actions: ProjectActions | null;
}

function jsonOrNull(ids: readonly string[] | null): string | null {
  return ids === null ? null : JSON.stringify(ids);
}

/** Changes what tasks of the project get that are created from now on. */
export const updateProject: StoreOperation<UpdateProjectArgs, Project> = {
  name: 'projects.update',
  access: 'write',
  keys: ({ projectId }) => [projectId],
  *run({ accountId, projectId, now, name, instruction, connectors, skills, actions }) {
    const row = yield* selectFirst(
      `UPDATE projects SET name = COALESCE(?, name), instruction = COALESCE(?, instruction),
       connectors = COALESCE(?, connectors), skills = COALESCE(?, skills),
       actions = COALESCE(?, actions), updated_at = ?
       WHERE account_id = ? AND id = ? RETURNING ${columns}`,
      name,
      instruction,
      jsonOrNull(connectors),
      jsonOrNull(skills),
      actions,
      now,
      accountId,
      projectId,
    );
    if (!row) throw projectNotFound();
    return readProject(row);
  },
};
