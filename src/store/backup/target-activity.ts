import { z } from 'zod';
import { type Clock, pause } from '@errand/base/clock.ts';
import { BackupProblem } from './backup-problem.ts';
import type { BackupRepository } from './backup-repository.ts';

const markSchema = z.object({ kind: z.enum(['backup', 'prune']), renewed_at: z.number() });

export type ActivityKind = z.infer<typeof markSchema>['kind'];

const folder = 'activities';

const renewEveryMs = 60_000;
/** Much longer than the time between two renewals, because the clocks of two machines differ. */
const lifetimeMs = 15 * 60_000;

const names: Readonly<Record<ActivityKind, string>> = { backup: 'a backup', prune: 'errand backup prune' };

function keyOf(id: string): string {
  return `${folder}/${id}`;
}

interface Others {
  /** Activities that are still running, or were killed a short time ago. */
  alive: { id: string; kind: ActivityKind }[];
  /** Activities that were killed. */
  dead: string[];
}

interface ActivityParts {
  repository: BackupRepository;
  id: string;
  kind: ActivityKind;
  clock: Clock;
  beganAt: number;
  others: Others;
}

/**
 * Marks a target as in use. Several backups may run at the same time; nothing is deleted while a backup runs, which may already rely on
 * it.
 */
export class TargetActivity {
  readonly #repository: BackupRepository;
  readonly #id: string;
  readonly #kind: ActivityKind;
  readonly #clock: Clock;
  #renewedAt: number;
  #hasLapsed = false;
  /** Ids of killed activities, whose leftovers can be deleted. */
  readonly dead: readonly string[];
  /** Ids of other activities that are still running. */
  readonly alive: readonly string[];

  private constructor(parts: ActivityParts) {
    this.#repository = parts.repository;
    this.#id = parts.id;
    this.#kind = parts.kind;
    this.#clock = parts.clock;
    this.#renewedAt = parts.beganAt;
    this.dead = parts.others.dead;
    this.alive = parts.others.alive.map(({ id }) => id);
  }

  /**
   * Writes the mark before it looks for others, so that of two that begin at the same time at least one sees the other. Rejects with
   * `BackupProblem` if another activity excludes this one.
   */
  static async begin(repository: BackupRepository, id: string, kind: ActivityKind, clock: Clock): Promise<TargetActivity> {
    const beganAt = clock.now();
    await putMark(repository, id, kind, beganAt);
    try {
      const others = await findOthers(repository, id, clock);
      const rival = others.alive.find((other) => kind === 'prune' || other.kind === 'prune');
      if (rival) {
        throw new BackupProblem(
          `${names[rival.kind]} is running in ${repository.name}, or was killed less than 15 minutes ago; try again later`,
        );
      }
      return new TargetActivity({ repository, id, kind, clock, beganAt, others });
    } catch (error) {
      await repository.remove(keyOf(id)).catch(() => undefined);
      throw error;
    }
  }

  /** Renews the mark until the signal. A failed renewal is not critical: the mark outlives several of them. */
  async renewUntil(signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.#clock, renewEveryMs, signal);
      if (signal.aborted) return;
      await this.#renew().catch(() => undefined);
    }
  }

  async #renew(): Promise<void> {
    this.#noteLapse();
    const now = this.#clock.now();
    await putMark(this.#repository, this.#id, this.#kind, now);
    this.#renewedAt = now;
  }

  #noteLapse(): void {
    if (this.#clock.now() - this.#renewedAt >= lifetimeMs) this.#hasLapsed = true;
  }

  /**
   * Throws `BackupProblem` if others may have taken this activity for killed at some time, for example while this machine was suspended:
   * what it wrote, and what it relied on, may be gone.
   */
  checkUnbroken(): void {
    this.#noteLapse();
    if (!this.#hasLapsed) return;
    throw new BackupProblem(
      `${names[this.#kind]} could not renew its mark in ${this.#repository.name} for 15 minutes, and its files may have been deleted; start it again`,
    );
  }

  /** Removes the mark of a killed activity, once its leftovers are deleted. */
  async bury(id: string): Promise<void> {
    await this.#repository.remove(keyOf(id));
  }

  async end(): Promise<void> {
    await this.#repository.remove(keyOf(this.#id));
  }
}

async function putMark(repository: BackupRepository, id: string, kind: ActivityKind, renewedAt: number): Promise<void> {
  await repository.putText(keyOf(id), JSON.stringify({ kind, renewed_at: renewedAt }));
}

async function findOthers(repository: BackupRepository, own: string, clock: Clock): Promise<Others> {
  const others: Others = { alive: [], dead: [] };
  for (const key of await repository.listKeys(folder)) {
    const id = key.slice(folder.length + 1);
    if (id === own) continue;
    const mark = markSchema.safeParse(await readJson(repository, key));
    if (mark.success && clock.now() - mark.data.renewed_at < lifetimeMs) others.alive.push({ id, kind: mark.data.kind });
    else others.dead.push(id);
  }
  return others;
}

/** Null for a mark that was deleted in the meantime, or is incomplete. */
async function readJson(repository: BackupRepository, key: string): Promise<unknown> {
  try {
    return JSON.parse(await repository.readText(key));
  } catch (error) {
    if (error instanceof BackupProblem || error instanceof SyntaxError) return null;
    throw error;
  }
}
