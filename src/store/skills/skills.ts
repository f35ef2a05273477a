import { Fault } from '@errand/base/fault.ts';
import { type SkillCard, skillLimits, type SkillOwner, type SkillPackage } from '../../rules/skills/skill.ts';
import { type StoreOperation, placeholders, type Row, type Script, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { integer, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { accountRow, teamMemberRow } from '../db/shared-rows.ts';
import { teamOfTask } from '../db/teammates.ts';

/** An uploaded skill without its text and files. */
export interface StoredSkill extends SkillCard {
  accountId: string;
  id: string;
  owner: Exclude<SkillOwner, 'official'>;
  /** E-mail address of the account that uploaded it. */
  creator: string;
  createdAtMs: number;
  updatedAtMs: number;
}

export interface SkillKey {
  accountId: string;
  skillId: string;
}

const skillRow = tableCodec('skills', {
  account_id: text,
  id: text,
  owner_type: oneOf<StoredSkill['owner']>(),
  owner_id: text,
  name: text,
  description: text,
  body: text,
  created_at: integer,
  updated_at: integer,
});
const skillFileRow = tableCodec('skill_files', { path: text, content: text });

const stored = skillRow.pick('account_id, id, owner_type as owner, name, description, created_at, updated_at');
const { read: readText } = skillRow.pick('name, description, body');

function readSkill(row: Row, creator: string): StoredSkill {
  return { ...stored.read(row), creator };
}

export function skillNotFound(): Fault {
  return new Fault('not_found', 'skill not found');
}

export interface ListSkillsArgs {
  accountId: string;
  /** Includes the skills of this project. */
  projectId: string | null;
  /** The task that uses them, which sees those of its own team; otherwise, those of the account's current one are included. */
  taskId?: string;
}

/** A condition on `skills s`, what an account may use: its own skills, a team's, and, given a project, that project's. */
function matchVisible({ accountId, projectId, taskId }: ListSkillsArgs): { where: string; params: string[] } {
  const team = taskId === undefined ? '(SELECT m.team_id FROM team_members m WHERE m.account_id = ?)' : teamOfTask;
  return {
    where: `((s.account_id = ? AND (s.owner_type = 'personal' OR (s.owner_type = 'project' AND s.owner_id = ?)))
      OR (s.owner_type = 'team' AND s.owner_id = ${team}))`,
    params: [accountId, projectId ?? '', accountId, ...(taskId === undefined ? [] : [taskId])],
  };
}

/** The skills that the account may use, oldest first. */
export const listSkills: StoreOperation<ListSkillsArgs, StoredSkill[]> = {
  name: 'skills.list',
  access: 'read',
  *run(args) {
    const { where, params } = matchVisible(args);
    const rows = yield* selectAll(
      `SELECT ${stored.columnsOf('s')}, a.email
       FROM skills s JOIN accounts a ON a.account_id = s.account_id WHERE ${where} ORDER BY s.id`,
      ...params,
    );
    return rows.map((row) => readSkill(row, accountRow.email(row)));
  },
};

/** A complete skill that the account may use; null if there is none. */
export const loadSkill: StoreOperation<ListSkillsArgs & { skillId: string }, SkillPackage | null> = {
  name: 'skills.load',
  access: 'read',
  *run({ skillId, ...args }) {
    const { where, params } = matchVisible(args);
    const row = yield* selectFirst(
      `SELECT s.account_id, s.name, s.description, s.body FROM skills s WHERE s.id = ? AND ${where}`,
      skillId,
      ...params,
    );
    if (!row) return null;
    const files = yield* selectAll(
      'SELECT path, content FROM skill_files WHERE account_id = ? AND skill_id = ? ORDER BY path',
      skillRow.account_id(row),
      skillId,
    );
    return {
      ...readText(row),
      files: files.map((file) => ({
        path: skillFileRow.path(file),
        content: Buffer.from(skillFileRow.content(file), 'base64'),
      })),
    };
  },
};

export interface SaveSkillArgs extends SkillKey {
  owner: StoredSkill['owner'];
  /** The project it belongs to; for a team, the store looks up the current one. */
  projectId: string | null;
  skill: SkillPackage;
  now: number;
}

function* findOwner({ accountId, owner, projectId }: SaveSkillArgs): Script<string> {
  if (owner === 'personal') return '';
  if (owner === 'project') return projectId ?? '';
  const row = yield* selectFirst('SELECT team_id FROM team_members WHERE account_id = ?', accountId);
  if (!row) throw new Fault('permission_denied', 'team: this account is not in a team.');
  return teamMemberRow.team_id(row);
}

/** The id of the skill with that name, the proposed one if it is new. */
function* chooseId(args: SaveSkillArgs, ownerId: string): Script<string> {
  const { accountId, owner, skill, skillId } = args;
  const rows = yield* selectAll('SELECT id, owner_type, owner_id, name FROM skills WHERE account_id = ?', accountId);
  const known = rows.find(
    (row) => skillRow.owner_type(row) === owner && skillRow.owner_id(row) === ownerId && skillRow.name(row) === skill.name,
  );
  if (known) return skillRow.id(known);
  if (rows.length >= skillLimits.count) {
    throw new Fault('resource_exhausted', `An account can have ${skillLimits.count} skills; delete one that is no longer used.`);
  }
  return skillId;
}

/** Stores a skill; replaces one with the same name and owner and keeps its id. */
export const saveSkill: StoreOperation<SaveSkillArgs, StoredSkill> = {
  name: 'skills.save',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run(args) {
    const { accountId, skill, now, owner } = args;
    // The lock on the account's row serializes creation, so concurrent requests cannot exceed the limit.
    const account = yield* selectFirst('SELECT email FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
    const ownerId = yield* findOwner(args);
    const id = yield* chooseId(args, ownerId);
    const { name, description, body, files } = skill;
    const rows = files.flatMap(({ path, content }) => [accountId, id, path, Buffer.from(content).toString('base64')]);
    const [, [kept] = []] = yield [
      sql('DELETE FROM skill_files WHERE account_id = ? AND skill_id = ?', accountId, id),
      sql(
        `INSERT INTO skills (account_id, id, owner_type, owner_id, name, description, body, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (account_id, id) DO UPDATE SET description = excluded.description, body = excluded.body,
         updated_at = excluded.updated_at
         RETURNING ${stored.columns}`,
        ...[accountId, id, owner, ownerId, name, description, body, now, now],
      ),
      ...(files.length === 0
        ? []
        : [
            sql(`INSERT INTO skill_files (account_id, skill_id, path, content) VALUES ${placeholders(files.length, 4)}`, ...rows),
          ]),
    ];
    if (!kept) throw new Error('a skill that was just kept is gone');
    return readSkill(kept, account ? accountRow.email(account) : '');
  },
  announce: () => [{ topic: 'skills' }],
};

/** Deletes a skill permanently; only the account that uploaded it can. Tasks that have loaded it keep their copy. */
export const deleteSkill: StoreOperation<SkillKey, null> = {
  name: 'skills.delete',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, skillId }) {
    const [, gone = []] = yield [
      sql('DELETE FROM skill_files WHERE account_id = ? AND skill_id = ?', accountId, skillId),
      sql('DELETE FROM skills WHERE account_id = ? AND id = ? RETURNING id', accountId, skillId),
    ];
    if (gone.length === 0) throw skillNotFound();
    return null;
  },
  announce: () => [{ topic: 'skills' }],
};
