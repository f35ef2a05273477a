import type { Clock } from '@errand/base/clock.ts';
import { skillsKey } from '@errand/base/signals/hints.ts';
import { offersSkill } from '../rules/tasks/task-config.ts';
import { dropShadowed, type OfferedSkill, type SkillPackage } from '../rules/skills/skill.ts';
import type { Database } from '../store/db/database.ts';
import { listSkills, loadSkill, type StoredSkill } from '../store/skills/skills.ts';
import { OfficialSkills } from './official-skills.ts';

export interface SkillRequest {
  accountId: string;
  /** The task that uses them; it sees those of its own team. */
  taskId: string;
  /** Whether the account was in a team when the task was claimed; absent if that is unknown. All tasks of one in none see the same. */
  hasTeams?: boolean | undefined;
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
  readonly #clock: Clock;
  /** Uploaded skills in the order in which they were read, which is that of `until`. */
  readonly #known = new Map<string, { skills: Promise<StoredSkill[]>; until: number }>();
  /** What is offered beside these uploaded skills to a task that names none; the same list for all such tasks. */
  readonly #usual = new WeakMap<readonly StoredSkill[], OfferedSkill[]>();

  constructor(database: Database, clock: Clock, official = new OfficialSkills()) {
    this.official = official;
    this.#database = database;
    this.#clock = clock;
    // Lives as long as the process, like the registry itself.
    database.hints.subscribe(skillsKey, () => this.#known.clear());
  }

  /** Cached, because every turn of every task needs it. */
  #listStored({ accountId, taskId, hasTeams, projectId }: SkillRequest): Promise<StoredSkill[]> {
    const key = `${hasTeams === false ? accountId : taskId} ${projectId ?? ''}`;
    const now = this.#clock.monotonic();
    this.#dropStale(now);
    const known = this.#known.get(key);
    if (known) return known.skills;
    const skills = this.#database.run(listSkills, { accountId, taskId, projectId });
    const entry = { skills, until: now + cacheTtlMs };
    this.#known.set(key, entry);
    // What failed is read again by the next call.
    skills.catch(() => {
      if (this.#known.get(key) === entry) this.#known.delete(key);
    });
    return skills;
  }

  /** Each task of somebody in a team has a list of its own, which nobody asks for once the task has stopped. */
  #dropStale(now: number): void {
    for (const [key, { until }] of this.#known) {
      if (now < until) return;
      this.#known.delete(key);
    }
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
