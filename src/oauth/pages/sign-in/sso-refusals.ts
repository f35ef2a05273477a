import type { SignInRefusal } from '../../../rules/accounts/sign-in-policy.ts';
import type { ProviderProblem, ProviderProblemKind } from '../../../sso/provider-problem.ts';
import type { SignInTrouble } from './sign-in-page.ts';

/** The refusal of a callback that is late, repeated, or from a browser without a pending sign-in. */
export const foreignAnswer: SignInTrouble = { problem: ({ sso }) => sso.foreign, status: 400 };

const statuses: Readonly<Record<Exclude<ProviderProblemKind, 'foreign'>, number>> = {
  unreachable: 503,
  broken: 502,
  clock: 502,
  denied: 403,
};

/** Explains a problem with the provider `name` to the user signing in. */
export function describeProblem({ kind }: ProviderProblem, name: string): SignInTrouble {
  if (kind === 'foreign') return foreignAnswer;
  return { problem: ({ sso }) => sso[kind](name), status: statuses[kind] };
}

/** Why an identity from the provider is not admitted. */
export function describeRefusal(refusal: SignInRefusal, email: string | null, name: string): SignInTrouble {
  return { problem: ({ sso }) => sso.refuse(refusal, email, name), status: 403 };
}
