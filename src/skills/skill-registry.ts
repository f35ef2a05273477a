import type { Clock } from '@errand/base/clock.ts';
import { RecentReads } from '@errand/base/load/recent-reads.ts';
import { skillsKey } from '@errand/base/signals/hints.ts';
import { offersSkill, teamKeyOf, type TeamTask } from '../rules/tasks/task-config.ts';
import { dropShadowed, type OfferedSkill, type SkillPackage } from '../rules/skills/skill.ts';
import type { Database } from '../store/db/database.ts';
import { listSkills, loadSkill, type StoredSkill } from '../store/skills/skills.ts';
import { OfficialSkills } from './official-skills.ts';

/** The task that uses skills sees those of its own team. */
export interface SkillRequest extends TeamTask {
  projectId: string | null;
  /** Ids of the available skills; undefined for all that the account may use. */
  enabled?: readonly string[] | undefined;
  /** Ids that are always available. */
  forced?: readonly string[] | undefined;
}

/** How long a changed skill can stay unnoticed if its hint is lost. */
const cacheTtlMs = 30_000;
/** What most tasks find, so that they are all offered one list. */
const noneStored: readonly StoredSkill[] = [];

/** Built-in and uploaded skills, as tasks see them. */
export class SkillRegistry {
  readonly official: OfficialSkills;
  readonly #database: Database;
  /** Uploaded skills, because every turn of every task needs them. */
  readonly #recent: RecentReads<StoredSkill[]>;
  /** What is offered beside these uploaded skills to a task that names none; the same list for all such tasks. */
  readonly #usual = new WeakMap<readonly StoredSkill[], OfferedSkill[]>();

  constructor(database: Database, clock: Clock, official = new OfficialSkills()) {
    this.official = official;
    this.#database = database;
    this.#recent = new RecentReads(clock, cacheTtlMs);
    // Lives as long as the process, like the registry itself.
    database.hints.subscribe(skillsKey, () => this.#recent.clear());
  }

  #listStored(request: SkillRequest): Promise<StoredSkill[]> {
    const { accountId, taskId, projectId } = request;
    return this.#recent.read(teamKeyOf(request, projectId), () =>
      this.#database.run(listSkills, { accountId, taskId, projectId }),
    );
  }

  /** The skills that a task may load, by name. */
  async offer(request: SkillRequest): Promise<readonly OfferedSkill[]> {
    const { enabled, forced = [] } = request;
    const found = await this.#listStored(request);
    const stored = found.length === 0 ? noneStored : found;
    if (enabled) return this.#choose(stored, { skills: enabled, forcedSkills: forced });
    const offered = this.#usual.get(stored) ?? (await this.#choose(stored, { forcedSkills: forced }));
    this.#usual.set(stored, offered);
    return offered;
  }

  async #choose(stored: readonly StoredSkill[], requested: Parameters<typeof offersSkill>[1]): Promise<OfferedSkill[]> {
    const official = (await this.official.list()).map(({ id, name, description }) => ({
      ...{ id, name, description },
      owner: 'official' as const,
    }));
    const offered = dropShadowed([...official, ...stored].filter(({ id }) => offersSkill(id, requested)));
    return offered.map(({ id, name, description }) => ({ id, name, description }));
  }

  /** A complete skill; null if the account may not use it or it is deleted. */
  async load(key: Pick<SkillRequest, 'accountId' | 'taskId' | 'projectId'> & { skillId: string }): Promise<SkillPackage | null> {
    return (await this.official.load(key.skillId)) ?? this.#database.run(loadSkill, key);
  }
}
