import type { SignInRefusal } from '../../../rules/accounts/sign-in-policy.ts';
import type { ProviderProblem, ProviderProblemKind } from '../../../sso/provider-problem.ts';
import type { SignInTrouble } from './sign-in-page.ts';

/** Whose answer came too late, twice, or to a browser that has asked nothing. */
export const foreignAnswer: SignInTrouble = { problem: ({ sso }) => sso.foreign, status: 400 };

const statuses: Readonly<Record<Exclude<ProviderProblemKind, 'foreign'>, number>> = {
  unreachable: 503,
  broken: 502,
  clock: 502,
  denied: 403,
};

/** What a problem with the provider called `name` means for whoever wanted to sign in. */
export function describeProblem({ kind }: ProviderProblem, name: string): SignInTrouble {
  if (kind === 'foreign') return foreignAnswer;
  return { problem: ({ sso }) => sso[kind](name), status: statuses[kind] };
}

/** Why somebody whom the provider has signed in does not come in. */
export function describeRefusal(refusal: SignInRefusal, email: string | null, name: string): SignInTrouble {
  return { problem: ({ sso }) => sso.refuse(refusal, email, name), status: 403 };
}
