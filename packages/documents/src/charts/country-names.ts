import { countryCodes } from './country-shapes.ts';

const languages = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'pl', 'ru', 'zh', 'ja', 'ar'];

/** Names that people write and no list of names has. */
const others: Record<string, string> = {
  ...{ usa: 'US', 'united states of america': 'US', america: 'US', uk: 'GB', 'great britain': 'GB', england: 'GB' },
  ...{
    'czech republic': 'CZ',
    turkey: 'TR',
    'ivory coast': 'CI',
    swaziland: 'SZ',
    burma: 'MM',
    'cape verde': 'CV',
    holland: 'NL',
  },
  ...{
    'republic of korea': 'KR',
    korea: 'KR',
    'dr congo': 'CD',
    'congo-kinshasa': 'CD',
    'congo-brazzaville': 'CG',
    macedonia: 'MK',
  },
};

let known: Map<string, string> | undefined;

function clean(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^the /, '')
    .replaceAll('&', 'and')
    .replaceAll(/[.’']/g, '')
    .trim();
}

function listNames(): Map<string, string> {
  const names = new Map<string, string>();
  const codes = [...countryCodes.split(' ').map((both) => [both.slice(0, 2), both.slice(2)] as const), ['XK', 'XKX'] as const];
  for (const language of languages) {
    const written = new Intl.DisplayNames([language], { type: 'region' });
    for (const [code] of codes) names.set(clean(written.of(code) ?? code), code);
  }
  for (const [code, long] of codes) names.set(code.toLowerCase(), code).set(long.toLowerCase(), code);
  for (const [name, code] of Object.entries(others)) names.set(clean(name), code);
  return names;
}

/** The code of a country by its code of two or three letters or its name in twelve languages; null for none. */
export function findCountry(name: string): string | null {
  known ??= listNames();
  return known.get(clean(name)) ?? null;
}
