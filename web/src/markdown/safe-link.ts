const allowed = new Set(['http:', 'https:', 'mailto:']);

/**
 * The target of a link in untrusted text; null for anything but a plain web or mail address, in particular `javascript:` and `data:`.
 * Addresses without a scheme are null too: they would lead into this application.
 */
export function readSafeLink(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return allowed.has(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
}

/** The host of a link whose label names a different one; null when the label names none, or the same. */
export function findOtherHost(words: string, href: string): string | null {
  const named = /^\s*(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?:[/:?#\s]|$)/iu.exec(words)?.[1];
  const { host } = new URL(href);
  const bare = (name: string) => name.toLowerCase().replace(/^www\./, '');
  return named === undefined || host === '' || bare(named) === bare(host) ? null : host;
}
