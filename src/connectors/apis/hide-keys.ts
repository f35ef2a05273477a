/** Shorter ones would be found in any text. */
const shortestKey = 8;
const hidden = '[key]';

/** A way to write one character as several. */
interface Encoding {
  pattern: RegExp;
  read(escape: string): string;
  /** The key as what is read spells it. */
  spell(key: string): string;
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const same = (key: string) => key;
/** Percent escapes are of bytes, which are read one by one. */
const asBytes = (key: string) => Buffer.from(key).toString('latin1');
const readPercent = (escape: string) => (escape === '+' ? ' ' : String.fromCharCode(Number.parseInt(escape.slice(1), 16)));

function readJson(escape: string): string {
  const name = escape.slice(1);
  return name.length > 1 ? String.fromCharCode(Number.parseInt(name.slice(1), 16)) : (controls[name] ?? name);
}

function readEntity(escape: string): string {
  const name = escape.slice(1, -1);
  if (!name.startsWith('#')) return entities[name] ?? escape;
  // Digits, or an x and digits of base 16.
  return String.fromCharCode(Number(name.replace(/^#(?=x)/i, '0').replace('#', '')));
}

const encodings: readonly Encoding[] = [
  { pattern: /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g, read: readJson, spell: same },
  { pattern: /%[0-9a-fA-F]{2}/g, read: readPercent, spell: asBytes },
  { pattern: /%[0-9a-fA-F]{2}|\+/g, read: readPercent, spell: asBytes },
  { pattern: /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});/g, read: readEntity, spell: same },
];

/** What of the keys must not be shown, the longest first: a part of it may be a key too. */
function secretsOf(keys: Readonly<Record<string, string>>): string[] {
  const all = Object.values(keys).flatMap((value) => {
    const [, inner = ''] = /^(?:bearer|basic) (.+)$/i.exec(value) ?? [];
    const decoded = /^basic /i.test(value) ? Buffer.from(inner, 'base64').toString('utf8') : '';
    return [value, inner, decoded, decoded.slice(decoded.indexOf(':') + 1)];
  });
  return [...new Set(all)].filter((secret) => secret.length >= shortestKey).toSorted((a, b) => b.length - a.length);
}

/** Where the keys are, in order and apart from each other. */
function findPlaces(text: string, keys: readonly string[]): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (const key of keys) {
    for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + key.length)) {
      places.push({ start: at, end: at + key.length });
    }
  }
  const apart: typeof places = [];
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last && place.start < last.end) last.end = Math.max(last.end, place.end);
    else apart.push(place);
  }
  return apart;
}

function hideEncoded(text: string, secrets: readonly string[], { pattern, read, spell }: Encoding): string {
  const places = findPlaces(text.replaceAll(pattern, read), secrets.map(spell));
  if (places.length === 0) return text;
  const escapes = text.matchAll(pattern);
  let escape = escapes.next();
  let longer = 0;
  /** Where in the text something is that was read; asked in order. */
  const placeOf = (at: number) => {
    for (; escape.done !== true && escape.value.index - longer < at; escape = escapes.next()) {
      longer += escape.value[0].length - 1;
    }
    return at + longer;
  };
  const parts: string[] = [];
  let after = 0;
  for (const { start, end } of places) {
    parts.push(text.slice(after, placeOf(start)), hidden);
    after = placeOf(end);
  }
  return [...parts, text.slice(after)].join('');
}

/** A text in which keys that the API repeats, as they are or in a usual encoding, are replaced, so that no model sees them. */
export function hideKeys(text: string, keys: Readonly<Record<string, string>>): string {
  const secrets = secretsOf(keys);
  if (secrets.length === 0) return text;
  const plain = secrets.reduce((shown, secret) => shown.replaceAll(secret, hidden), text);
  return encodings.reduce((shown, encoding) => hideEncoded(shown, secrets, encoding), plain);
}
