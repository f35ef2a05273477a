import { attachmentView } from '../api/events/attachment-view.ts';
import { readInSlot } from '../api/events/event-page.ts';
import type { Context } from '../api/contract/operation.ts';
import { presentEvent } from '../rules/events/present.ts';
import { readConversations } from '../store/events/conversations.ts';
import { type Conversation, toConversation } from './legacy-task-output.ts';

/** How much of each conversation a list shows, counted from its end: messages, and stored bytes. */
const longestInList = 50;
const maxBytesEach = 64 * 1024;
/** Tasks that are read at once; fewer if these are long. */
const tasksAtOnce = 20;
/** Stored bytes that are read at once. */
const bytesAtOnce = 256 * 1024;
/** Characters of all conversations of a page, after which it ends early. */
const longestPage = 1_000_000;

/** The ends of the conversations of these tasks of the caller, in their order; of fewer tasks if these are long. */
export async function readPageOfConversations(taskIds: readonly string[], context: Context): Promise<Conversation[]> {
  const { accountId } = context.principal;
  const view = attachmentView(context.urls, accountId);
  const bounds = { limit: longestInList, maxBytesEach, maxBytes: bytesAtOnce };
  const page: Conversation[] = [];
  let length = 0;
  while (page.length < taskIds.length && length < longestPage) {
    const ids = taskIds.slice(page.length, page.length + tasksAtOnce);
    const amount = ids.length * longestInList;
    const logs = await readInSlot({ owner: accountId, amount }, context, () =>
      context.read(readConversations, { accountId, taskIds: ids, ...bounds }),
    );
    const read = logs.map((log, index) =>
      toConversation(log.flatMap((event) => presentEvent(ids[index] ?? '', event, view) ?? [])),
    );
    page.push(...read);
    length += read.reduce((sum, conversation) => sum + conversation.length, 0);
  }
  return page;
}
