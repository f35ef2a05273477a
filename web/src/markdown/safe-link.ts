const allowed = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address that a link of untrusted text may lead to; null for everything that is no plain web or mail address, above all
 * `javascript:` and `data:`. Addresses without a scheme are null too: they would lead into this application.
 */
export function readSafeLink(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return allowed.has(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
}
