import type { IncomingHttpHeaders } from 'node:http';
import { chooseLanguage } from '../../../rules/http/accept-language.ts';
import { en, type Texts } from './page-texts-en.ts';
import { zh } from './page-texts-zh.ts';

/** Adding a language takes one line here and one file. The first one is the default. */
const languages = { en, zh } satisfies Record<string, Texts>;

const [first, ...others] = Object.keys(languages) as [keyof typeof languages, ...(keyof typeof languages)[]];

/** A sentence, in the reader's language. */
export type Said = (texts: Texts) => string;

/**
 * The texts for a visitor: in the language of the account's locale (`zh-TW` in `zh`), or, without sign-in, in that of
 * their browser.
 */
export function textsFor(account: { locale: string } | null, headers: IncomingHttpHeaders): Texts {
  const requested = account ? account.locale : headers['accept-language'];
  return languages[chooseLanguage(requested, [first, ...others])];
}
