import { type Clock, systemClock } from '@errand/base/clock.ts';
import { type Log, silentLog } from '@errand/base/log.ts';
import { profiles, standardProfile } from '../rules/instance/model-profile.ts';
import type { Model } from './model.ts';
import { type Models, type OpenedProfiles, pickModels } from './model-registry.ts';

/** How long a change can stay unnoticed if its hint is lost. */
const cacheTtlMs = 30_000;

/** The models of this process, which change when somebody sets others: a call in progress keeps the one it began with. */
export class CurrentModels {
  #opened: OpenedProfiles;
  readonly #clock: Clock;
  readonly #log: Log;
  #load: (() => Promise<OpenedProfiles>) | null = null;
  #loading: Promise<void> | null = null;
  #isOutdated = false;
  #until = Number.POSITIVE_INFINITY;

  constructor(opened: OpenedProfiles, clock: Clock = systemClock, log: Log = silentLog) {
    this.#opened = opened;
    this.#clock = clock;
    this.#log = log;
  }

  get opened(): OpenedProfiles {
    return this.#opened;
  }

  /** The model of a profile; an unknown one has the standard model. */
  get(profile: string): Model {
    return this.#opened[profiles.find((known) => known === profile) ?? standardProfile].model;
  }

  /** The model of each profile. */
  all(): Models {
    return pickModels(this.#opened);
  }

  /** Uses what `load` returns, from the end of this call on. */
  async follow(load: () => Promise<OpenedProfiles>): Promise<void> {
    this.#load = load;
    this.#opened = await load();
    this.#until = this.#clock.monotonic() + cacheTtlMs;
  }

  /** Called when the models were changed. */
  refresh(): void {
    if (!this.#load) return;
    this.#isOutdated = true;
    this.#loading ??= this.#reload(this.#load).finally(() => (this.#loading = null));
  }

  /** Waits until these models are the current ones, as far as this process knows. Costs nothing unless they were changed. */
  async settle(): Promise<void> {
    if (this.#clock.monotonic() >= this.#until) this.refresh();
    await this.#loading;
  }

  async #reload(load: () => Promise<OpenedProfiles>): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      // Also after a failure: those in use stay in use until the next attempt.
      this.#until = this.#clock.monotonic() + cacheTtlMs;
      try {
        this.#opened = await load();
      } catch (error) {
        this.#log.warn({ err: error }, 'the settings of the models could not be read; those in use stay');
      }
    }
  }
}
