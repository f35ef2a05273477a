import { Fault } from '@errand/base/fault.ts';
import { checkPassword } from '../../../api/accounts/password-field.ts';
import type { Said } from '../layout/page-texts.ts';

/** What is wrong with a new password that was typed twice, or null. */
export function checkNewPassword(password: string, again: string): Said | null {
  if (password !== again) return (texts) => texts.password.differ;
  try {
    checkPassword(password);
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { message } = error;
    return (texts) => texts.password.wrong(message);
  }
}
