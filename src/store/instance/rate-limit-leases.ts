import { type RateClass, RateWindow } from '../../rules/instance/rate-window.ts';
import { deleteSome, type StoreOperation, type Script, sql } from '../db/store-operation.ts';
import { json, tableCodec } from '../db/row-codec.ts';
import { clockRow } from '../db/shared-rows.ts';

const rateWindowRow = tableCodec('rate_windows', { counts: json<[number, number][]>() });

/** The caller whose requests are counted together, and their class. */
export interface RateKey {
  /** An account, or for the class `token` an application. */
  ownerId: string;
  rateClass: RateClass;
}

export interface LeaseRateArgs extends RateKey {
  limit: number;
  /** Maximum to take; less is granted when little is left, so that other processes get some too. */
  wanted: number;
}

/** A share of the minute's requests that one process may admit without asking. */
export interface RateLease {
  granted: number;
  /** The remainder for all processes together. */
  remaining: number;
  resetS: number;
  /** The second it was counted in, by the database's clock. */
  second: number;
}

function* lockWindow({ ownerId, rateClass }: RateKey): Script<{ window: RateWindow; nowMs: number }> {
  const [, [row] = []] = yield [
    sql(
      `INSERT INTO rate_windows (owner_id, class, counts, touched_at) VALUES (?, ?, '[]', errand_now()) ON CONFLICT DO NOTHING`,
      ownerId,
      rateClass,
    ),
    sql('SELECT counts, errand_now() AS now FROM rate_windows WHERE owner_id = ? AND class = ? FOR UPDATE', ownerId, rateClass),
  ];
  if (!row) throw new Error('a window of requests that was just made is gone');
  const nowMs = clockRow.now(row);
  return { window: RateWindow.from(rateWindowRow.counts(row), nowMs), nowMs };
}

function* saveWindow({ ownerId, rateClass }: RateKey, window: RateWindow, nowMs: number): Script<void> {
  yield [
    sql(
      'UPDATE rate_windows SET counts = ?, touched_at = ? WHERE owner_id = ? AND class = ?',
      JSON.stringify([...window.entries()]),
      nowMs,
      ownerId,
      rateClass,
    ),
  ];
}

/** Takes a share of the minute's remainder for one process. */
export const leaseRate: StoreOperation<LeaseRateArgs, RateLease> = {
  name: 'rates.lease',
  access: 'write',
  keys: ({ ownerId, rateClass }) => [`rate ${ownerId} ${rateClass}`],
  *run({ limit, wanted, ...key }) {
    const { window, nowMs } = yield* lockWindow(key);
    const fair = Math.ceil(window.remaining(nowMs, limit) / 4);
    const granted = window.take(nowMs, Math.min(wanted, fair), limit);
    if (granted > 0) yield* saveWindow(key, window, nowMs);
    return {
      granted,
      remaining: window.remaining(nowMs, limit),
      resetS: window.resetS(nowMs),
      second: window.second,
    };
  },
};

/** Returns the unused part of a share. */
export const returnRate: StoreOperation<RateKey & { second: number; count: number }, null> = {
  name: 'rates.return',
  access: 'write',
  keys: ({ ownerId, rateClass }) => [`rate ${ownerId} ${rateClass}`],
  *run({ second, count, ...key }) {
    const { window, nowMs } = yield* lockWindow(key);
    window.giveBack(nowMs, second, count);
    yield* saveWindow(key, window, nowMs);
    return null;
  },
};

/** Deletes windows that have been empty for a while, at most `limit` at once; returns their number. */
export const deleteExpiredRates: StoreOperation<{ limit: number }, number> = {
  name: 'rates.deleteExpired',
  access: 'exclusive',
  *run({ limit }) {
    const from = { table: 'rate_windows', key: 'owner_id, class', where: 'touched_at < errand_now() - 120000', limit };
    return yield* deleteSome(from);
  },
};
