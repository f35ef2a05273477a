import { Fault } from '@errand/base/fault.ts';

/** What a sending server is told instead of an acceptance; from 500 on it does not try again. */
export class SmtpRefusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.name = 'SmtpRefusal';
    this.responseCode = responseCode;
  }
}

/** The refusal of an unknown address. It does not reveal whether the address never existed, has expired, or belongs to a locked account. */
export function nobodyThere(): SmtpRefusal {
  return new SmtpRefusal(550, 'No such address here');
}

/** The refusal of a trigger that is paused. */
export function notNow(): SmtpRefusal {
  return new SmtpRefusal(450, 'This address takes no mail at present');
}

/** While name servers do not answer. */
export function uncheckedSender(): SmtpRefusal {
  return new SmtpRefusal(451, 'The sender cannot be checked now; try again later');
}

/** The refusal of everything that may succeed later, for example while the store fails. */
export function tryAgain(): SmtpRefusal {
  return new SmtpRefusal(451, 'The mail could not be stored now; try again later');
}

/** Faults of callers end a mail permanently; anything else may pass. */
export function refusalOf(error: unknown): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error;
  if (!(error instanceof Fault) || error.status >= 500) return tryAgain();
  return new SmtpRefusal(error.code === 'resource_exhausted' ? 451 : 554, error.message);
}
