import type { UsageRecord } from '@errand/client';
import { errand } from '../api/errand.ts';

const pageSize = 100;

/** The records of the account since then, newest first; at most `mostPages` pages of 100. */
export async function readRecords(sinceMs: number, mostPages: number, signal?: AbortSignal): Promise<UsageRecord[]> {
  const records: UsageRecord[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await errand.usage.list(
      { limit: pageSize, ...(cursor !== undefined && { cursor }) },
      signal === undefined ? {} : { signal },
    );
    records.push(...answer.data);
    cursor = answer.next_cursor;
    if (cursor === undefined || (answer.data.at(-1)?.created_at ?? 0) * 1000 < sinceMs) break;
  }
  return records;
}
