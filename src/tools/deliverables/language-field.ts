import { z } from 'zod';

/** The language of what a tool writes. */
export const languageField = z
  .string()
  .regex(/^([a-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$/, 'must be a language tag such as "en" or "pt-BR"')
  .default('')
  .describe('The language of the text, such as "en", "de", "pt-BR".')
  .meta({ disclosure: 'later' });
