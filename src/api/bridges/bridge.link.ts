import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { Fault } from '@errand/base/fault.ts';
import { makeUserCode } from '../../rules/oauth/user-code.ts';
import { createLinkCode } from '../../store/bridges/bridge-chats.ts';
import { listBots } from '../../store/bridges/bridges.ts';
import { defineOperation } from '../contract/operation.ts';
import { botObject, presentBot } from './bridge-object.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const codeTtlMs = 10 * 60_000;

export const bridgeLink = defineOperation('POST', 'bridge.link', {
  summary: "Creates a code that links a Telegram or Slack chat to the account's agent when sent from that chat.",
  details: 'The code is valid once, for ten minutes. Without a configured bot, the answer is 412 `failed_precondition`.',
  access: 'own',
  hasSecret: true,
  request: z.object({}),
  response: z.object({
    code: z.string(),
    expires_at: unixTime,
    bots: z.array(botObject),
  }),
  async handle(_input, { principal, now, read, write }) {
    const bots = await read(listBots, null);
    if (bots.length === 0) {
      throw new Fault('failed_precondition', 'No bot is configured. Set ERRAND_TELEGRAM_BOT_TOKEN or the Slack tokens.');
    }
    const code = makeUserCode(randomInt);
    const expiresAtMs = now + codeTtlMs;
    await write(createLinkCode, { accountId: principal.accountId, digest: digestSecret(code), now, expiresAtMs });
    return { code, expires_at: toUnixTime(expiresAtMs), bots: bots.map((bot) => presentBot(bot, code)) };
  },
});
