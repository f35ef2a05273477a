const prefix = 'at-';

/** The hash of a link to a message of a task. */
export function nameRow(eventId: string): string {
  return `${prefix}${eventId}`;
}

/** The event that such a hash names; null for any other. */
export function readRowName(hash: string): string | null {
  return hash.startsWith(prefix) ? hash.slice(prefix.length) : null;
}
