import type { slidesFormats } from '../../rules/events/public-attachment.ts';
import { presentEvent } from '../../rules/events/present.ts';
import type { ReadShownArgs } from '../../store/events/events.ts';
import { readShownPage } from '../../store/events/shown-page.ts';
import { endOfPage, type ListPageRequest, startOfPage } from '../contract/list-page.ts';
import type { Context } from '../contract/operation.ts';
import { attachmentView } from './attachment-view.ts';

/** Stored bytes of a page. One with more takes the thread that answers all requests for too long. */
const pageBytes = 256 * 1024;

export interface EventPageRequest extends ListPageRequest {
  /** Which events; `fromSeq` is where a page without a cursor starts. */
  place: Omit<ReadShownArgs, 'limit'>;
  slidesFormat: (typeof slidesFormats)[number];
  /** Whether the reader may know who wrote messages, and about budgets. */
  showsAccount: boolean;
}

/** Reads logs of an account in a slot that accounts share fairly; `amount` is the most events that it can be. */
export function readInSlot<Result>(
  { owner, amount }: { owner: string; amount: number },
  { eventPages, signal }: Context,
  read: () => Promise<Result>,
): Promise<Result> {
  return eventPages.run({ owner, signal, amount }, read);
}

/** A page of a task's events as clients see them, read in a slot that accounts share fairly. */
export async function readEventPage(request: EventPageRequest, context: Context) {
  const { place, limit, slidesFormat, showsAccount } = request;
  const position = startOfPage(request);
  const fromSeq = position === null ? place.fromSeq : Number(position);
  const { accountId: owner, taskId } = place;
  const view = { ...attachmentView(context.urls, owner, slidesFormat), showsAccount };
  return readInSlot({ owner, amount: limit }, context, async () => {
    const { events, hasMore } = await context.read(readShownPage, { ...place, fromSeq, limit, maxBytes: pageBytes });
    const messages = events.flatMap((event) => presentEvent(taskId, event, view) ?? []);
    const last = events.at(-1);
    return { messages, end: endOfPage(request, hasMore && last ? String(last.seq) : null) };
  });
}
