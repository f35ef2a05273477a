/**
 * Who serves a chat platform. Two processes that asked it for news would take them from each other, so one of them has the
 * lease; what it writes about chats proves the fence of its claim.
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
  /** The store belongs to this process alone, so that nobody else can have the lease. */
  isAlone: boolean;
}

/** Takes the lease; null while somebody else has it. */
export const claimBridge: StoreOperation<ClaimBridgeArgs, BridgeHold | null> = {
  name: 'bridges.claim',
  access: 'exclusive',
  *run({ platform, owner, ttlMs, isAlone }) {
    yield* selectAll(
      'INSERT INTO bridges (platform, lease_until, fence) VALUES (?, 0, 0) ON CONFLICT DO NOTHING RETURNING platform',
      platform,
    );
    const row = yield* selectFirst(
      `UPDATE bridges SET lease_owner = ?, lease_until = errand_now() + ?, fence = fence + 1
       WHERE platform = ? ${isAlone ? '' : 'AND lease_until <= errand_now()'} RETURNING fence`,
      owner,
      ttlMs,
      platform,
    );
    return row ? { platform, fence: bridgeRow.fence(row) } : null;
  },
};

/** Prolongs it; false when it is lost. */
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

/** Gives it back, so that another process need not wait for its end. */
export const releaseBridge: StoreOperation<BridgeHold, null> = {
  name: 'bridges.release',
  access: 'exclusive',
  *run({ platform, fence }) {
    yield [sql('UPDATE bridges SET lease_until = 0, fence = fence + 1 WHERE platform = ? AND fence = ?', platform, fence)];
    return null;
  },
};

/** How far the news of the bot have been read, and when that was noted. */
export interface BridgePosition {
  value: number;
  atMs: number;
}

/** Writes down whose token is configured; the position of the same bot, null for another one. */
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

/** The bots that have been served, by platform. */
export const listBots: StoreOperation<null, { platform: PlatformName; name: string }[]> = {
  name: 'bridges.listBots',
  access: 'read',
  *run() {
    const rows = yield* selectAll('SELECT platform, name FROM bridges WHERE name IS NOT NULL ORDER BY platform');
    return rows.map((row) => ({ platform: bridgeRow.platform(row), name: bridgeRow.name(row) ?? '' }));
  },
};

/** A condition of a statement that a holder of the lease makes. */
export function whileHeld({ platform, fence }: BridgeHold): Statement {
  return sql('EXISTS (SELECT 1 FROM bridges WHERE platform = ? AND fence = ?)', platform, fence);
}
