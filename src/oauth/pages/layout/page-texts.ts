import type { IncomingHttpHeaders } from 'node:http';
import { chooseLanguage, type OwnLanguage, ownLanguages } from '../../../rules/http/accept-language.ts';
import { de } from './page-texts-de.ts';
import { en, type Texts } from './page-texts-en.ts';
import { es } from './page-texts-es.ts';
import { zh } from './page-texts-zh.ts';

const languages: Readonly<Record<OwnLanguage, Texts>> = { en, de, es, zh };

/** A sentence, in the reader's language. */
export type Said = (texts: Texts) => string;

/**
 * The texts for a visitor: in the language of the account's locale (`zh-TW` in `zh`), or, without sign-in, in that of
 * their browser.
 */
export function textsFor(account: { locale: string } | null, headers: IncomingHttpHeaders): Texts {
  const requested = account ? account.locale : headers['accept-language'];
  return languages[chooseLanguage(requested, ownLanguages)];
}
