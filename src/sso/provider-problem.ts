/**
 * - `unreachable`: no response, or not in time.
 * - `broken`: the provider or its configuration here is wrong; only an operator can fix it.
 * - `clock`: times in its response do not match this machine's clock.
 * - `denied`: the provider did not authenticate the person.
 * - `foreign`: the response does not belong to the request, or was used before.
 */
export type ProviderProblemKind = 'unreachable' | 'broken' | 'clock' | 'denied' | 'foreign';

/** Why the provider did not authenticate anybody. `message` is for operators: it stays in the log and in `errand doctor`. */
export class ProviderProblem extends Error {
  readonly kind: ProviderProblemKind;

  constructor(kind: ProviderProblemKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ProviderProblem';
    this.kind = kind;
  }
}
