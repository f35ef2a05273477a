import { Fault } from '@errand/base/fault.ts';
import { mainTaskId } from '../../rules/agents/default-agent.ts';
import { type BridgeHold, type PlatformName, whileHeld } from './bridges.ts';
import { lockAccount, type StoreOperation, type Row, selectAll, selectFirst, selectOne, sql } from '../db/store-operation.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { accountRow, countRow } from '../db/shared-rows.ts';

const maxChats = 20;

const bridgeCodeRow = tableCodec('bridge_codes', { account_id: text });
const bridgeChatRow = tableCodec('bridge_chats', {
  account_id: text,
  id: text,
  platform: oneOf<PlatformName>(),
  bot: text,
  chat: text,
  person: text,
  title: text,
  delivered_seq: integer,
  delivered_part: integer,
  last_ref: nullable(text),
  prompt_seq: nullable(integer),
  heard: nullable(text),
  problem: nullable(text),
  created_at: integer,
});

/** The platform's key of a chat. */
export interface ChatPlace {
  platform: PlatformName;
  bot: string;
  chat: string;
}

export interface ChatKey {
  accountId: string;
  chatId: string;
}

const own = bridgeChatRow.pick(
  'account_id, id as chatId, platform, bot, chat, person, title, delivered_seq, delivered_part',
  'last_ref, prompt_seq, heard as lastReceived, problem, created_at',
);
/** The account's language, e-mail address, and whether it is active. */
const account = accountRow.pick('locale, email, status');

/** A chat linked to an account, and how much of the main task it has received. */
export type BridgeChat = ReturnType<typeof own.read> & ReturnType<typeof account.read>;

const columns = `${own.columnsOf('c')}, ${account.columnsOf('a')}`;
const joined = 'bridge_chats c JOIN accounts a ON a.account_id = c.account_id';

function readChat(row: Row): BridgeChat {
  return { ...own.read(row), ...account.read(row) };
}

export interface CreateCodeArgs {
  accountId: string;
  digest: string;
  now: number;
  expiresAtMs: number;
}

/** Stores the digest of a new code and deletes the account's expired ones. */
export const createLinkCode: StoreOperation<CreateCodeArgs, null> = {
  name: 'bridgeChats.createCode',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, digest, now, expiresAtMs }) {
    yield [
      sql('DELETE FROM bridge_codes WHERE account_id = ? AND expires_at <= ?', accountId, now),
      sql('INSERT INTO bridge_codes (account_id, digest, expires_at) VALUES (?, ?, ?)', accountId, digest, expiresAtMs),
    ];
    return null;
  },
};

export interface LinkChatArgs extends ChatPlace {
  /** Digest of the code that was sent. */
  digest: string;
  chatId: string;
  person: string;
  title: string;
  lastReceived: string | null;
  now: number;
}

/** Links a chat to the account whose code was sent from it, replacing an earlier link; null for an invalid or expired code. */
export const linkChat: StoreOperation<LinkChatArgs, BridgeChat | null> = {
  name: 'bridgeChats.link',
  access: 'exclusive',
  *run({ digest, platform, bot, chat, chatId, person, title, lastReceived, now }) {
    const code = yield* selectFirst(
      'DELETE FROM bridge_codes WHERE digest = ? AND expires_at > ? RETURNING account_id',
      digest,
      now,
    );
    if (!code) return null;
    const accountId = bridgeCodeRow.account_id(code);
    yield* lockAccount(accountId);
    yield [sql('DELETE FROM bridge_chats WHERE platform = ? AND bot = ? AND chat = ?', platform, bot, chat)];
    const held = yield* selectOne('SELECT COUNT(*) AS count FROM bridge_chats WHERE account_id = ?', accountId);
    if (countRow.count(held) >= maxChats) throw new Fault('resource_exhausted', `An account can have ${maxChats} linked chats.`);
    yield [
      sql(
        `INSERT INTO bridge_chats (account_id, id, platform, bot, chat, person, title, delivered_seq, delivered_part, heard, created_at)
         SELECT ?, ?, ?, ?, ?, ?, ?, t.last_seq, 0, ?, ? FROM tasks t WHERE t.account_id = ? AND t.id = ?`,
        ...[accountId, chatId, platform, bot, chat, person, title, lastReceived, now, accountId, mainTaskId(accountId)],
      ),
      noteSecurityEvent({ accountId, atMs: now, kind: 'chat_linked', actor: `${platform}:${person}`, detail: { title } }),
    ];
    return yield* findBridgeChat.run({ platform, bot, chat });
  },
  announce: () => [{ topic: 'bridges' }],
};

export const findBridgeChat: StoreOperation<ChatPlace, BridgeChat | null> = {
  name: 'bridgeChats.find',
  access: 'read',
  *run({ platform, bot, chat }) {
    const row = yield* selectFirst(
      `SELECT ${columns} FROM ${joined} WHERE c.platform = ? AND c.bot = ? AND c.chat = ?`,
      ...[platform, bot, chat],
    );
    return row ? readChat(row) : null;
  },
};

/** A linked chat by its id; null if it was unlinked. */
export const getBridgeChat: StoreOperation<ChatKey, BridgeChat | null> = {
  name: 'bridgeChats.get',
  access: 'read',
  *run({ accountId, chatId }) {
    const row = yield* selectFirst(
      `SELECT ${columns} FROM ${joined} WHERE c.account_id = ? AND c.id = ?`,
      ...[accountId, chatId],
    );
    return row ? readChat(row) : null;
  },
};

/** The linked chats of an account, oldest first. */
export const listBridgeChats: StoreOperation<string, BridgeChat[]> = {
  name: 'bridgeChats.list',
  access: 'read',
  *run(accountId) {
    const rows = yield* selectAll(`SELECT ${columns} FROM ${joined} WHERE c.account_id = ? ORDER BY c.id`, accountId);
    return rows.map(readChat);
  },
};

/** A page of the chats of a bot whose accounts are active, ordered by their platform ids. */
export const listServedChats: StoreOperation<Omit<ChatPlace, 'chat'> & { afterChat: string; limit: number }, BridgeChat[]> = {
  name: 'bridgeChats.listServed',
  access: 'read',
  *run({ platform, bot, afterChat, limit }) {
    const rows = yield* selectAll(
      `SELECT ${columns} FROM ${joined} WHERE c.platform = ? AND c.bot = ? AND c.chat > ? AND a.status = 'active' ORDER BY c.chat LIMIT ?`,
      ...[platform, bot, afterChat, limit],
    );
    return rows.map(readChat);
  },
};

/** Unlinks a chat. */
export const unlinkChat: StoreOperation<ChatKey & { now: number; actor: string }, null> = {
  name: 'bridgeChats.unlink',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, chatId, now, actor }) {
    const row = yield* selectFirst('DELETE FROM bridge_chats WHERE account_id = ? AND id = ? RETURNING title', accountId, chatId);
    if (!row) throw new Fault('not_found', 'chat not found');
    const detail = { title: bridgeChatRow.title(row) };
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'chat_unlinked', actor, detail })];
    return null;
  },
  announce: () => [{ topic: 'bridges' }],
};

/** How much a chat has received. */
export type ChatProgress = Pick<BridgeChat, 'deliveredSeq' | 'deliveredPart' | 'lastRef' | 'promptSeq' | 'problem'>;

/** Records what a chat has received; false if the process has lost its lease or the chat was unlinked. */
export const noteProgress: StoreOperation<ChatKey & ChatProgress & { hold: BridgeHold }, boolean> = {
  name: 'bridgeChats.noteProgress',
  access: 'write',
  keys: ({ chatId }) => [chatId],
  *run({ accountId, chatId, hold, deliveredSeq, deliveredPart, lastRef, promptSeq, problem }) {
    const held = whileHeld(hold);
    const row = yield* selectFirst(
      `UPDATE bridge_chats SET delivered_seq = ?, delivered_part = ?, last_ref = ?, prompt_seq = ?, problem = ?
       WHERE account_id = ? AND id = ? AND ${held.sql} RETURNING id`,
      ...[deliveredSeq, deliveredPart, lastRef, promptSeq, problem, accountId, chatId, ...held.params],
    );
    return row !== undefined;
  },
};

/** Records the newest message from a chat, which also marks an unreachable chat as reachable. */
export const noteReceived: StoreOperation<ChatKey & { lastReceived: string }, null> = {
  name: 'bridgeChats.noteReceived',
  access: 'write',
  keys: ({ chatId }) => [chatId],
  *run({ accountId, chatId, lastReceived }) {
    yield [
      sql(
        `UPDATE bridge_chats SET heard = ? WHERE account_id = ? AND id = ? AND (heard IS NULL OR heard < ?)`,
        ...[lastReceived, accountId, chatId, lastReceived],
      ),
    ];
    return null;
  },
};
