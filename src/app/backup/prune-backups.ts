import type { Clock } from '@errand/base/clock.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import type { Config } from '../../config/config.ts';
import { BackupProblem } from '../../store/backup/backup-problem.ts';
import { BackupRepository } from '../../store/backup/backup-repository.ts';
import { TargetActivity } from '../../store/backup/target-activity.ts';
import { backupKeys, readBlobs } from './backup-parts.ts';
import { removeBackup, removeLeftovers } from './leftovers.ts';
import { openBackupTarget } from './open-backup-target.ts';

const dayMs = 24 * 3_600_000;

export interface PruneRequest {
  target: string;
  config: Config;
  clock: Clock;
  /** How many of the newest backups stay; null if the number does not count. */
  keep: number | null;
  /** The days whose backups stay; null if age does not count. */
  keepDays: number | null;
  signal: AbortSignal;
}

export interface PruneResult {
  removed: string[];
  remaining: string[];
  /** Files that no remaining backup has. */
  filesRemoved: number;
}

/** When a backup was begun, which its id says: `20260131T120000123Z-4fGh2k`. */
function timeOf(id: string): number {
  const [, year, month, day, hours, minutes, seconds, ms] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(id)?.map(Number) ?? [];
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hours, minutes, seconds, ms);
}

/**
 * The backups that stay: those that either rule keeps, and always the newest.
 * @param finished oldest first
 */
function chooseRemaining(
  finished: readonly string[],
  { keep, keepDays, now }: { keep: number | null; keepDays: number | null; now: number },
): string[] {
  const newest = Math.max(1, keep ?? 0);
  return finished.filter((id, index) => {
    const isRecent = keepDays !== null && now - timeOf(id) < keepDays * dayMs;
    return isRecent || index >= finished.length - newest;
  });
}

/** The keys of all files that the given backups have. Rejects with `BackupProblem` if one of them cannot be read. */
async function findNeeded(repository: BackupRepository, ids: readonly string[]): Promise<Set<string>> {
  const needed = new Set<string>();
  for (const id of ids) {
    for await (const { account, id: blob } of readBlobs(repository, await repository.read(id)))
      needed.add(backupKeys.blob(account, blob));
  }
  return needed;
}

class PruneRun {
  readonly #request: PruneRequest;
  readonly #repository: BackupRepository;

  constructor(request: PruneRequest, repository: BackupRepository) {
    this.#request = request;
    this.#repository = repository;
  }

  async run(): Promise<PruneResult> {
    const { keep, keepDays, clock } = this.#request;
    const { finished } = await this.#repository.list();
    const remaining = chooseRemaining(finished, { keep, keepDays, now: clock.now() });
    // Before anything is removed: without this list, files of a damaged backup would be taken for those of none.
    const needed = await findNeeded(this.#repository, remaining);
    const removed = finished.filter((id) => !remaining.includes(id));
    for (const id of removed) {
      this.#checkSignal();
      await removeBackup(this.#repository, id);
    }
    return { removed, remaining, filesRemoved: await this.#removeFiles(needed) };
  }

  async #removeFiles(needed: ReadonlySet<string>): Promise<number> {
    let count = 0;
    for (const key of await this.#repository.listKeys(backupKeys.blobFolder)) {
      if (needed.has(key)) continue;
      this.#checkSignal();
      await this.#repository.remove(key);
      count += 1;
    }
    return count;
  }

  #checkSignal(): void {
    if (this.#request.signal.aborted) throw new BackupProblem('interrupted; run it again to remove the rest');
  }
}

/** Removes old backups from a target, the leftovers of killed ones, and all files that none of the remaining backups has. */
export async function pruneBackups(request: PruneRequest): Promise<PruneResult> {
  const { config, clock, target } = request;
  const repository = await BackupRepository.open(await openBackupTarget(target, config), config.secrets.backupPassphrase);
  const id = `prune-${randomBase62(6)}`;
  const activity = await TargetActivity.begin(repository, id, 'prune', clock);
  const ended = new AbortController();
  const renewing = activity.renewUntil(ended.signal);
  try {
    await removeLeftovers(repository, id, activity);
    return await new PruneRun(request, repository).run();
  } finally {
    ended.abort();
    await renewing;
    await activity.end();
  }
}
