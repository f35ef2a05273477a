import { z } from 'zod';
import { listBridgeChats } from '../../store/bridges/bridge-chats.ts';
import { listBots } from '../../store/bridges/bridges.ts';
import { defineOperation } from '../contract/operation.ts';
import { botObject, bridgeChatObject, presentBot, presentChat } from './bridge-object.ts';

export const bridgeList = defineOperation('GET', 'bridge.list', {
  summary: "Lists the chats linked to the main task of the account's agent, oldest first, and the available bots.",
  access: 'own',
  request: z.object({}),
  response: z.object({ data: z.array(bridgeChatObject), bots: z.array(botObject) }),
  async handle(_input, { principal, read }) {
    const [chats, bots] = await Promise.all([read(listBridgeChats, principal.accountId), read(listBots, null)]);
    return { data: chats.map(presentChat), bots: bots.map((bot) => presentBot(bot, null)) };
  },
});
