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

const codeMs = 10 * 60_000;

export const bridgeLink = defineOperation({
  name: 'bridge.link',
  method: 'POST',
  summary: "Makes a code that links a chat of Telegram or Slack with the account's agent when it is sent from there.",
  details: 'It works once, for ten minutes. Where no bot has been configured this is 412 `failed_precondition`.',
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
      throw new Fault('failed_precondition', 'No bot has been configured; set ERRAND_TELEGRAM_BOT_TOKEN or the tokens of Slack.');
    }
    const code = makeUserCode(randomInt);
    const expiresAtMs = now + codeMs;
    await write(createLinkCode, { accountId: principal.accountId, digest: digestSecret(code), now, expiresAtMs });
    return { code, expires_at: toUnixTime(expiresAtMs), bots: bots.map((bot) => presentBot(bot, code)) };
  },
});
