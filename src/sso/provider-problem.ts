/**
 * - `unreachable`: nothing was answered, or not in time.
 * - `broken`: the provider, or what is set here about it, is not as it should be; only an operator can mend it.
 * - `clock`: times in its answer do not fit those of this machine.
 * - `denied`: the provider did not sign the person in.
 * - `foreign`: the answer does not belong to what was asked, or has been used.
 */
export type ProviderProblemKind = 'unreachable' | 'broken' | 'clock' | 'denied' | 'foreign';

/** Why the provider signed nobody in. `message` is for operators: it stays in the log and in `errand doctor`. */
export class ProviderProblem extends Error {
  readonly kind: ProviderProblemKind;

  constructor(kind: ProviderProblemKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ProviderProblem';
    this.kind = kind;
  }
}
