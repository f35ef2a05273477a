import { invalidField } from '@errand/base/fault.ts';

const longestTag = 64;
const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

function canonicalise(tag: string): string | undefined {
  try {
    const [canonical] = tag.length > longestTag ? [] : Intl.getCanonicalLocales(tag);
    return canonical && languages.of(new Intl.Locale(canonical).language) ? canonical : undefined;
  } catch {
    return undefined;
  }
}

/** The canonical form of a BCP 47 tag whose language is known (`zh-cn` is `zh-CN`), or 400. */
export function readLocale(tag: string): string {
  const canonical = canonicalise(tag);
  if (canonical === undefined) throw invalidField('locale', 'must be a language tag such as "en", "zh-CN" or "ja"');
  return canonical;
}
