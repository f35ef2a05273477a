/** A token of a number format. */
export type FormatToken =
  | { kind: 'text'; text: string }
  | { kind: 'digit'; sign: '0' | '#' | '?' }
  | { kind: 'point' | 'comma' | 'percent' | 'slash' | 'general' | 'words' }
  | { kind: 'power'; showsPlus: boolean }
  /** `y`, `m`, `d`, `h`, `s`, repeated as in the format; `mm` may be months or minutes. */
  | { kind: 'date'; letters: string }
  /** Elapsed hours, minutes or seconds: `[h]`. */
  | { kind: 'elapsed'; letters: string }
  | { kind: 'fraction'; digits: number }
  | { kind: 'half'; signs: readonly [string, string] };

export type FormatOperator = '<' | '<=' | '>' | '>=' | '=' | '<>';

/** One of up to four sections of a format: for positive numbers, negative numbers, zero, and text. */
export interface FormatSection {
  tokens: readonly FormatToken[];
  color: string | null;
  condition: { operator: FormatOperator; limit: number } | null;
}

/** The tokens of the language, in the order in which they are tried. */
const pattern =
  /"([^"]*)"?|\\(.)|_.|\*.|\[([^\]]*)\]|(General)|(AM\/PM|A\/P)|([Ee][+-])|([yY]+|[mM]+|[dD]+|[hH]+|[sS]+)|([0#?])|(.)/gsu;

const colors = new Set(['black', 'blue', 'cyan', 'green', 'magenta', 'red', 'white', 'yellow']);

function readBracket(
  inside: string,
  section: { -readonly [Key in keyof FormatSection]: FormatSection[Key] },
): FormatToken | null {
  const condition = /^(<=|>=|<>|<|>|=)\s*(-?[\d.]+)$/.exec(inside);
  if (condition) {
    section.condition = { operator: condition[1] as FormatOperator, limit: Number(condition[2]) };
    return null;
  }
  if (colors.has(inside.toLowerCase())) section.color = inside.toLowerCase();
  if (/^(h+|m+|s+)$/i.test(inside)) return { kind: 'elapsed', letters: inside.toLowerCase() };
  // A currency with its locale.
  const sign = /^\$([^-]*)/.exec(inside)?.[1];
  return sign ? { kind: 'text', text: sign } : null;
}

const signs: Readonly<Record<string, FormatToken>> = {
  '.': { kind: 'point' },
  ',': { kind: 'comma' },
  '%': { kind: 'percent' },
  '/': { kind: 'slash' },
  '@': { kind: 'words' },
};

function readSection(code: string): FormatSection {
  const section: FormatSection = { tokens: [], color: null, condition: null };
  const tokens: FormatToken[] = [];
  for (const [all, quoted, escaped, bracket, general, half, power, date, digit, sign] of code.matchAll(pattern)) {
    if (quoted !== undefined || escaped !== undefined) tokens.push({ kind: 'text', text: quoted ?? escaped ?? '' });
    else if (bracket !== undefined) tokens.push(...[readBracket(bracket, section)].filter((token) => token !== null));
    else if (general !== undefined) tokens.push({ kind: 'general' });
    else if (half !== undefined) tokens.push({ kind: 'half', signs: half.length > 3 ? ['AM', 'PM'] : ['A', 'P'] });
    else if (power !== undefined) tokens.push({ kind: 'power', showsPlus: power.endsWith('+') });
    else if (date !== undefined) tokens.push({ kind: 'date', letters: date.toLowerCase() });
    else if (digit !== undefined) tokens.push({ kind: 'digit', sign: digit as '0' });
    else if (sign !== undefined) tokens.push(signs[sign] ?? { kind: 'text', text: sign });
    // A space as wide as a character.
    else if (all.startsWith('_')) tokens.push({ kind: 'text', text: ' ' });
  }
  return { ...section, tokens };
}

/** Where the sections of a format end; a literal semicolon does not count. */
function splitSections(code: string): string[] {
  const parts = code.match(/(?:"[^"]*"?|\\.|\[[^\]]*\]|[^;"\\[]|\[)+|;/gsu) ?? [];
  const sections = [''];
  for (const part of parts) {
    if (part === ';') sections.push('');
    else sections[sections.length - 1] += part;
  }
  return sections.slice(0, 4);
}

const longest = 255;
const known = new Map<string, readonly FormatSection[]>();

/** The sections of a spreadsheet's format code, at least one. */
export function readFormat(code: string): readonly FormatSection[] {
  const found = known.get(code);
  if (found) return found;
  const sections = splitSections(code.slice(0, longest)).map(readSection);
  known.set(code, sections);
  return sections;
}
