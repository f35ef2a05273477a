import type { InboxItem } from '@errand/client';

/** What items wait for, in display order. */
export const inboxTypes = ['question', 'confirmation', 'sign_in', 'failure'] as const satisfies readonly InboxItem['type'][];
export type InboxType = (typeof inboxTypes)[number];

/** The search parameters of the inbox. */
export interface InboxSearch {
  type?: InboxType;
  /** What was decided, instead of what waits. */
  view?: 'decided';
}

/** Reads the search parameters; invalid ones are dropped. */
export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  const type = inboxTypes.find((one) => one === search['type']);
  return { ...(type && { type }), ...(search['view'] === 'decided' && { view: 'decided' as const }) };
}
