import type { ProviderProblem, ProviderProblemKind } from '../sso/provider-problem.ts';
import type { SignInTrouble } from './sign-in-page.ts';

/** Whose answer came too late, twice, or to a browser that has asked nothing. */
export const foreignAnswer: SignInTrouble = {
  problem: 'This sign-in was begun elsewhere, took longer than ten minutes, or is used already. Start again.',
  status: 400,
};

const texts: Readonly<Record<ProviderProblemKind, (name: string) => SignInTrouble>> = {
  unreachable: (name) => ({ problem: `${name} does not answer at the moment. Try again in a minute.`, status: 503 }),
  broken: (name) => ({
    problem: `Signing in with ${name} does not work. Whoever runs this service learns more from its log and from errand doctor.`,
    status: 502,
  }),
  clock: (name) => ({
    problem: `The clocks of this service and of ${name} differ. Whoever runs this service has to set them right.`,
    status: 502,
  }),
  denied: (name) => ({ problem: `${name} did not sign you in; nothing has changed.`, status: 403 }),
  foreign: () => foreignAnswer,
};

/** What a problem with the provider called `name` means for whoever wanted to sign in. */
export function describeProblem({ kind }: ProviderProblem, name: string): SignInTrouble {
  return texts[kind](name);
}

export type Refusal = 'unverified' | 'domain' | 'none' | 'taken';

/** Why somebody whom the provider has signed in does not come in. */
export function describeRefusal(refusal: Refusal, email: string | null, name: string): SignInTrouble {
  const who = email ?? 'you';
  const problems: Readonly<Record<Refusal, string>> = {
    unverified:
      email === null
        ? `${name} does not tell your e-mail address. Add one there, or ask whoever runs this service.`
        : `${name} does not say that ${email} is verified. Confirm the address there, or ask whoever runs this service.`,
    domain: `${who} has no address that may sign in here. Choose another account at ${name}, or ask whoever runs this service.`,
    none: `There is no account for ${who}. Ask whoever runs this service to create it.`,
    taken: `The account of ${who} belongs to somebody else at ${name}. Ask whoever runs this service to unlink that.`,
  };
  return { problem: problems[refusal], status: 403 };
}
