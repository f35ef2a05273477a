/** Invalid or invisible characters: controls, lone surrogates, direction overrides, our own placeholder marks. */
// oxlint-disable-next-line no-control-regex
const unwanted = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

/** Text valid in XML, HTML and PDF: line ends are `\n`, characters are composed. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?|\u2028|\u2029/g, '\n')
    .replaceAll(unwanted, '')
    .normalize('NFC');
}

/** Cleans a text as `cleanText` does and joins it into one line with single spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ').trim();
}

/** Text inside XML or HTML, between tags or in a quoted attribute. */
export function escapeMarkup(text: string): string {
  const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (sign) => named[sign] ?? '');
}

/** A URL that is safe to link to, or null. */
export function safeLink(address: string): string | null {
  const cleaned = cleanLine(address);
  if (/^mailto:[^\s?]+@[^\s?]+$/i.test(cleaned)) return cleaned;
  if (!/^https?:\/\//i.test(cleaned) || cleaned.length > 2_000) return null;
  return URL.canParse(cleaned) ? new URL(cleaned).href : null;
}
