import type { Clock, Timer } from '@errand/base/clock.ts';
import type { MailJob } from '../reading/read-mail.ts';
import type { MailRecipient } from './mail-recipient.ts';

/** A connection of a sending server. */
export interface Visit {
  /** The address of the connection itself. */
  readonly peer: string;
  /** The recipients accepted so far, by address in lower case. */
  readonly admitted: Map<string, MailRecipient>;
  /** The server that sent the mail in progress. */
  origin: Pick<MailJob, 'clientAddress' | 'clientName'>;
  /** Aborted when the connection ends. */
  readonly leaving: AbortController;
  /** How many addresses it has named that nobody has. */
  unknown: number;
}

/** How many connections there may be, and for how long. */
export interface VisitLimits {
  each: number;
  mostMs: number;
}

/** The open connections, counted by address. */
export class Visits {
  readonly #clock: Clock;
  readonly #limits: VisitLimits;
  readonly #open = new Map<string, { visit: Visit; timer: Timer }>();

  constructor(clock: Clock, limits: VisitLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Null if this address has too many already. `end` is called when the connection has lasted too long. */
  begin(id: string, peer: string, end: () => void): Visit | null {
    const same = [...this.#open.values()].filter(({ visit }) => visit.peer === peer);
    if (same.length >= this.#limits.each) return null;
    const origin: Visit['origin'] = { clientAddress: null, clientName: '' };
    const visit = { peer, admitted: new Map<string, MailRecipient>(), origin, leaving: new AbortController(), unknown: 0 };
    this.#open.set(id, { visit, timer: this.#clock.setTimer(end, this.#limits.mostMs) });
    return visit;
  }

  find(id: string): Visit | null {
    return this.#open.get(id)?.visit ?? null;
  }

  end(id: string): void {
    const open = this.#open.get(id);
    open?.timer.cancel();
    open?.visit.leaving.abort(new Error('the sending server has disconnected'));
    this.#open.delete(id);
  }
}
