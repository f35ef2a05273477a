import { z } from 'zod';
import { WrongValue } from './setting.ts';

/** Readers of settings: each parses the text of a variable or throws `WrongValue`. */

/** A decimal integer within limits, both inclusive. */
export function readInteger(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= lowest && value <= highest)) throw new WrongValue(`must be a whole number from ${lowest} to ${highest}`);
    return value;
  };
}

export function readFlag(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new WrongValue('must be true or false');
  return text === 'true';
}

export function readChoiceSetting<Choice extends string>(choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new WrongValue(`must be one of ${choices.join(', ')}`);
    return found;
  };
}

/** Any single-line text with a minimum length. */
export function readSecret(shortest: number): (text: string) => string {
  return (text) => {
    if (text.length < shortest) throw new WrongValue(`must have at least ${shortest} characters`);
    if (/\p{Cc}/u.test(text)) throw new WrongValue('must not contain control characters');
    return text;
  };
}

/** A host name or an IP address, without scheme or port. */
export function readHost(text: string): string {
  const isAddress = z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success;
  if (!isAddress && !/^(?!.*[-.]{2})[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text)) {
    throw new WrongValue('must be a host name or an IP address, without scheme and port');
  }
  // 127.1 or 300.1.1.1 look like names but are incomplete or invalid addresses.
  if (!isAddress && /^[\d.]+$/.test(text)) throw new WrongValue('is not a complete IP address');
  return text;
}

/** An http or https URL to which paths can be appended: no query, fragment, credentials, or trailing slash. */
export function readWebAddress(text: string): string {
  if (!URL.canParse(text)) throw new WrongValue('must be an http or https address');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new WrongValue('must be an http or https address');
  if (url.username !== '' || url.password !== '') throw new WrongValue('must not contain a user name or password');
  if (/[?#]/.test(text)) throw new WrongValue('must not contain a query or fragment');
  return url.href.replace(/\/+$/, '');
}

/** An origin whose host begins with `*`, as in `https://*.example.com`. */
export function readPreviewAddress(text: string): string {
  const problem = 'must be an origin whose host begins with *, such as https://*.preview.example.com';
  if (!/^https?:\/\/\*\.[^*/]+\/?$/.test(text)) throw new WrongValue(problem);
  return readWebAddress(text.replace('*', 'name')).replace('name', '*');
}

export function readDatabaseAddress(text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol !== 'postgresql:' && protocol !== 'postgres:')
    throw new WrongValue('must be the address of a PostgreSQL database');
  return text;
}

/** An e-mail address, in lower case. Whether it exists only sending mail can show. */
export function readEmailSetting(text: string): string {
  if (!/^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u.test(text)) throw new WrongValue('must be an e-mail address');
  return text.toLowerCase();
}

export function readApiKey(text: string): string {
  if (!/^sk-[\x21-\x7e]{17,253}$/.test(text)) {
    throw new WrongValue('must begin with sk- and have 20 to 256 printable characters without spaces');
  }
  return text;
}

/** A comma-separated list without empty items; spaces around items are dropped. */
function splitList(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

/** CIDR blocks such as 10.0.0.0/8 or fd00::/8. A single address needs its /32 or /128, so that no block is opened by mistake. */
export function readAddressBlocks(text: string): readonly string[] {
  const blocks = splitList(text);
  const isBlock = (block: string) => z.cidrv4().safeParse(block).success || z.cidrv6().safeParse(block).success;
  if (!blocks.every(isBlock)) throw new WrongValue('must be a comma-separated list of CIDR blocks');
  return blocks;
}

export function readNames(text: string): readonly string[] {
  const names = splitList(text);
  if (!names.every((name) => /^[a-z][a-z0-9-]{0,31}$/.test(name))) {
    throw new WrongValue('must be a comma-separated list of names in lower case');
  }
  return [...new Set(names)];
}

/** Redirect URIs of desktop applications and browser extensions: `app://name`. */
const ownScheme = /^(?!https?:|wss?:|ftp:|file:|data:|javascript:)[a-z][a-z0-9+.-]*:\/\/[^\s/?#*@]+$/;

/** Origins of pages, as browsers write them. `*` is none: whoever may call an API is named. */
export function readOrigins(text: string): readonly string[] {
  const origins = splitList(text).map((item) => {
    if (ownScheme.test(item)) return item;
    const url = item.includes('*') ? null : URL.parse(item);
    const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
    const isOrigin = isWeb && url.pathname === '/' && url.username === '' && url.password === '' && !/[?#]/.test(item);
    if (!isOrigin)
      throw new WrongValue('must be a comma-separated list of origins, such as https://app.example.com, without paths or *');
    return url.origin;
  });
  return [...new Set(origins)];
}

const mostPairs = 64;
const longestPairValue = 4096;

/** `name=value` pairs separated by commas, with percent-encoded values, as settings of OpenTelemetry have them. */
export function readPairs(text: string, name: RegExp, content = /^\P{Cc}*$/u): Readonly<Record<string, string>> {
  const form = 'must be a comma-separated list of name=value pairs with percent-encoded values';
  const pairs = splitList(text).map((item) => {
    const at = item.indexOf('=');
    const key = item.slice(0, Math.max(0, at)).trim();
    const value = decodePart(item.slice(at + 1).trim());
    if (!name.test(key) || value === null || value.length > longestPairValue || !content.test(value)) throw new WrongValue(form);
    return [key, value] as const;
  });
  if (pairs.length > mostPairs) throw new WrongValue(`must have at most ${mostPairs} pairs`);
  return Object.freeze(Object.fromEntries(pairs));
}

function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
