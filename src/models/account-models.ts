import { type Clock, systemClock } from '@errand/base/clock.ts';
import { profiles, type Profile, standardProfile } from '../rules/instance/model-profile.ts';
import type { CurrentModels } from './current-models.ts';
import type { Model } from './model.ts';
import type { PictureModel } from './pictures/picture-model.ts';
import type { Transcriber } from './speech/transcriber.ts';

/** How long a change can stay unnoticed if its hint is lost. */
const cacheTtlMs = 30_000;
/** Accounts whose models are remembered; those not used for longest are read again. */
const mostAccounts = 1000;

/** What works beside a model with a key of the account, where its provider has it. */
export interface OwnSideModels {
  readonly pictureModel?: PictureModel;
  readonly transcriber?: Transcriber;
}

/** The models that an account has keys of its own for; other profiles are absent. */
export type OwnModels = Readonly<Partial<Record<Profile, Model>>> & OwnSideModels;

const none: OwnModels = {};

/** Who calls a model. One object for each run of a task. */
export interface ModelCaller {
  accountId: string;
  profile: string;
}

export interface AccountModelsParts {
  /** The models of the service. */
  current: CurrentModels;
  /** Whether any account has own models. */
  isAny(): Promise<boolean>;
  load(accountId: string): Promise<OwnModels>;
  clock?: Clock;
}

/**
 * The models of tasks: those that the account has brought its own keys for, otherwise those of the service. While no account has any,
 * nothing is read for an account.
 */
export class AccountModels {
  readonly #parts: AccountModelsParts;
  readonly #clock: Clock;
  /** Least recently used first. */
  readonly #known = new Map<string, Promise<OwnModels>>();
  /** What each caller has settled on. */
  readonly #settled = new WeakMap<ModelCaller, OwnModels>();
  #isAny: Promise<boolean> | null = null;
  #until = 0;

  constructor(parts: AccountModelsParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
  }

  /** The model of the caller's profile, as of its last `settle`. */
  get(caller: ModelCaller): Model {
    const own = this.#ownOf(caller);
    return own[profiles.find((known) => known === caller.profile) ?? standardProfile] ?? this.#parts.current.get(caller.profile);
  }

  /** What the caller's account makes pictures and transcribes recordings with, as of its last `settle`. */
  besides(caller: ModelCaller): OwnSideModels {
    return this.#ownOf(caller);
  }

  #ownOf(caller: ModelCaller): OwnModels {
    const own = this.#settled.get(caller);
    // The service's own model must never be used by mistake: it would be paid by somebody else.
    if (!own) throw new Error('the models of the account were not settled');
    return own;
  }

  /** Called when an account has changed its models. */
  refresh(): void {
    this.#isAny = null;
    this.#known.clear();
    this.#until = this.#clock.monotonic() + cacheTtlMs;
  }

  /** Waits until `get` returns the current model of the caller. Rejects if the keys of accounts cannot be read. */
  async settle(caller: ModelCaller): Promise<void> {
    await this.#parts.current.settle();
    if (this.#clock.monotonic() >= this.#until) this.refresh();
    this.#settled.set(caller, (await this.#hasAny()) ? await this.#find(caller.accountId) : none);
  }

  #hasAny(): Promise<boolean> {
    if (this.#isAny) return this.#isAny;
    const asked = this.#parts.isAny();
    this.#isAny = asked;
    // What failed is read again by the next call.
    asked.catch(() => {
      if (this.#isAny === asked) this.#isAny = null;
    });
    return asked;
  }

  #find(accountId: string): Promise<OwnModels> {
    const found = this.#known.get(accountId) ?? this.#parts.load(accountId);
    this.#known.delete(accountId);
    this.#known.set(accountId, found);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostAccounts) break;
      this.#known.delete(oldest);
    }
    found.catch(() => {
      if (this.#known.get(accountId) === found) this.#known.delete(accountId);
    });
    return found;
  }
}
