/**
 * Which process serves a chat platform. Two processes polling it would take updates from each other, so one of them holds a lease; its
 * writes about chats prove the fence of its claim.
 */
import { type StoreOperation, selectAll, selectFirst, type Statement, sql } from '../db/store-operation.ts';
import { integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';

export const platforms = ['telegram', 'slack'] as const;
export type PlatformName = (typeof platforms)[number];

const bridgeRow = tableCodec('bridges', {
  platform: oneOf<PlatformName>(),
  bot: nullable(text),
  name: nullable(text),
  position: nullable(integer),
  position_at: nullable(integer),
  fence: integer,
});

/** The claim of one process. */
export interface BridgeHold {
  platform: PlatformName;
  fence: number;
}

export interface ClaimBridgeArgs {
  platform: PlatformName;
  owner: string;
  ttlMs: number;
  /** The store belongs to this process alone, so no other process can hold the lease. */
  isAlone: boolean;
}

/** Takes the lease; null while another process holds it. */
export const claimBridge: StoreOperation<ClaimBridgeArgs, BridgeHold | null> = {
  name: 'bridges.claim',
  access: 'exclusive',
  *run({ platform, owner, ttlMs, isAlone }) {
    yield* selectAll(
      'INSERT INTO bridges (platform, lease_until, fence) VALUES (?, 0, 0) ON CONFLICT DO NOTHING RETURNING platform',
      platform,
    );
    const ifFree = isAlone ? '' : 'AND lease_until <= errand_now()';
    const row = yield* selectFirst(
      `UPDATE bridges SET lease_owner = ?, lease_until = errand_now() + ?, fence = fence + 1
       WHERE platform = ? ${ifFree} RETURNING fence`,
      owner,
      ttlMs,
      platform,
    );
    return row ? { platform, fence: bridgeRow.fence(row) } : null;
  },
};

/** Renews the lease; false if it is lost. */
export const renewBridge: StoreOperation<BridgeHold & { ttlMs: number }, boolean> = {
  name: 'bridges.renew',
  access: 'priority',
  *run({ platform, fence, ttlMs }) {
    const row = yield* selectFirst(
      'UPDATE bridges SET lease_until = errand_now() + ? WHERE platform = ? AND fence = ? RETURNING platform',
      ttlMs,
      platform,
      fence,
    );
    return row !== undefined;
  },
};

/** Releases the lease so that another process does not have to wait until it expires. */
export const releaseBridge: StoreOperation<BridgeHold, null> = {
  name: 'bridges.release',
  access: 'exclusive',
  *run({ platform, fence }) {
    yield [sql('UPDATE bridges SET lease_until = 0, fence = fence + 1 WHERE platform = ? AND fence = ?', platform, fence)];
    return null;
  },
};

/** The position in the bot's updates, and when it was recorded. */
export interface BridgePosition {
  value: number;
  atMs: number;
}

/** Records which bot the configured token belongs to; returns the position if it is the same bot, null otherwise. */
export const noteBot: StoreOperation<BridgeHold & { bot: string; name: string }, BridgePosition | null> = {
  name: 'bridges.noteBot',
  access: 'exclusive',
  *run({ platform, fence, bot, name }) {
    const row = yield* selectFirst('SELECT bot, position, position_at FROM bridges WHERE platform = ?', platform);
    const position = row && bridgeRow.bot(row) === bot ? bridgeRow.position(row) : null;
    yield [
      sql(
        `UPDATE bridges SET bot = ?, name = ? ${position === null ? ', position = NULL, position_at = NULL' : ''} WHERE platform = ? AND fence = ?`,
        bot,
        name,
        platform,
        fence,
      ),
    ];
    return row && position !== null ? { value: position, atMs: bridgeRow.position_at(row) ?? 0 } : null;
  },
};

export const notePosition: StoreOperation<BridgeHold & { position: number; now: number }, null> = {
  name: 'bridges.notePosition',
  access: 'write',
  keys: ({ platform }) => [platform],
  *run({ platform, fence, position, now }) {
    yield [
      sql(
        'UPDATE bridges SET position = ?, position_at = ? WHERE platform = ? AND fence = ?',
        ...[position, now, platform, fence],
      ),
    ];
    return null;
  },
};

/** All bots served so far, by platform. */
export const listBots: StoreOperation<null, { platform: PlatformName; name: string }[]> = {
  name: 'bridges.listBots',
  access: 'read',
  *run() {
    const rows = yield* selectAll('SELECT platform, name FROM bridges WHERE name IS NOT NULL ORDER BY platform');
    return rows.map((row) => ({ platform: bridgeRow.platform(row), name: bridgeRow.name(row) ?? '' }));
  },
};

/** A condition for statements of the lease holder. */
export function whileHeld({ platform, fence }: BridgeHold): Statement {
  return sql('EXISTS (SELECT 1 FROM bridges WHERE platform = ? AND fence = ?)', platform, fence);
}
