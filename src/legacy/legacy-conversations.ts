import { attachmentView } from '../api/events/attachment-view.ts';
import type { Context } from '../api/contract/operation.ts';
import { presentEvent } from '../rules/events/present.ts';
import { readConversations } from '../store/events/events.ts';
import { type Conversation, toConversation } from './legacy-task-output.ts';

/** Of a longer conversation, a list has the end. */
const longestInList = 50;
/** Tasks that are read at once. */
const atOnce = 20;
/** Characters of all conversations of a page, after which it ends early: a message can have 200,000. */
const longestPage = 4_000_000;

function lengthOf({ output }: Conversation): number {
  return output
    .flatMap(({ content }) => content)
    .reduce((sum, part) => sum + (part.type === 'output_text' ? part.text.length : 0), 0);
}

/** The ends of the conversations of these tasks of the caller, in their order; of fewer tasks if these are long. */
export async function readPageOfConversations(taskIds: readonly string[], context: Context): Promise<Conversation[]> {
  const { accountId } = context.principal;
  const view = attachmentView(context.urls, accountId);
  const page: Conversation[] = [];
  let length = 0;
  while (page.length < taskIds.length && length < longestPage) {
    const ids = taskIds.slice(page.length, page.length + atOnce);
    const logs = await context.read(readConversations, { accountId, taskIds: ids, limit: longestInList });
    const read = ids.map((taskId, index) =>
      toConversation((logs[index] ?? []).flatMap((event) => presentEvent(taskId, event, view) ?? [])),
    );
    page.push(...read);
    length += read.reduce((sum, conversation) => sum + lengthOf(conversation), 0);
  }
  return page;
}
