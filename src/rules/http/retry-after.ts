function readNumber(text: string | undefined): number | null {
  if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(Math.round(value)) ? value : null;
}

/**
 * The retry delay requested by a server, in whole milliseconds: `retry-after-ms`, else `retry-after` as seconds or as an HTTP date.
 * Null if it is missing or invalid.
 */
export function readRetryAfter(headers: Record<string, string>, nowMs: number): number | null {
  const exact = readNumber(headers['retry-after-ms']);
  if (exact !== null) return Math.ceil(exact);
  const seconds = readNumber(headers['retry-after']);
  if (seconds !== null) return Math.ceil(seconds * 1000);
  const date = headers['retry-after'] ?? '';
  const dateMs = date.endsWith('GMT') ? Date.parse(date) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
