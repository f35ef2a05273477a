const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Whether a text has more than `limit` characters, where a character outside the basic plane counts once. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > 2 * limit || text.length - (text.match(pairs)?.length ?? 0) > limit;
}
