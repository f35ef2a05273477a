const statuses = ['active', 'disabled', 'deleting'] as const;

/** The filter of the accounts, as stored in the URL. */
export interface AccountsSearch {
  q?: string;
  status?: (typeof statuses)[number];
}

/** Reads the filter from the URL; unknown values are dropped. */
export function readAccountsSearch(search: Record<string, unknown>): AccountsSearch {
  const q = typeof search['q'] === 'string' ? search['q'] : '';
  const status = statuses.find((one) => one === search['status']);
  return { ...(q !== '' && { q }), ...(status && { status }) };
}

/** Statuses that can be chosen. */
export const accountStatuses = statuses;
