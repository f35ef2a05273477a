import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { unlinkChat } from '../../store/bridges/bridge-chats.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const bridgeUnlink = defineOperation('POST', 'bridge.unlink', {
  summary: 'Unlinks a chat from the account.',
  access: 'own',
  request: z.object({ chat_id: requiredText('Id of the chat, from bridge.list.') }),
  response: z.object({ id: z.string(), deleted: z.literal(true) }),
  async handle({ chat_id: chatId }, { principal, now, write }) {
    if (!isId(chatId)) throw new Fault('not_found', 'chat not found');
    await write(unlinkChat, { accountId: principal.accountId, chatId, now, actor: actorOf(principal) });
    return { id: chatId, deleted: true as const };
  },
});
