import type { FaultCode } from '@errand/base/fault.ts';
import { scopeSentences } from '../../../rules/oauth/oauth-scopes.ts';
import type { SignInRefusal } from '../../../rules/accounts/sign-in-policy.ts';
import { joinTexts } from './join-texts-en.ts';
import { passwordTexts } from './password-texts-en.ts';
import { twoStepTexts } from './two-step-texts-en.ts';
import { html, type Fragment } from './html.ts';

const tooMany = 'Too many attempts. Wait a while and try again.';

function refuse(refusal: SignInRefusal, email: string | null, name: string): string {
  const problems: Readonly<Record<SignInRefusal, string>> = {
    unverified:
      email === null
        ? `${name} didn’t share your email. Add one there, or ask the server administrator.`
        : `${name} hasn’t verified ${email}. Verify it there, or ask the server administrator.`,
    domain: `${email ?? 'Your email'} isn’t allowed to sign in here. Choose another account at ${name}, or ask the server administrator.`,
    none: `There’s no account for ${email ?? 'you'}. Ask the server administrator to create one.`,
    taken: `${email === null ? 'Your account' : `The account of ${email}`} is linked to a different ${name} identity. Ask the server administrator to unlink it.`,
  };
  return problems[refusal];
}

/** All texts of the pages. Every other language must have the same ones to compile. */
export const en = {
  /** Language tag for `<html lang>`. */
  tag: 'en',
  page: {
    skip: 'Skip to content',
    signOut: 'Sign out',
    reference: 'Reference:',
    toFirst: 'Go to the home page',
  },
  fault: {
    title: 'Something went wrong',
    titles: {
      not_found: 'Page not found',
      internal: 'Something went wrong',
      unavailable: 'Try again in a moment',
    } as Readonly<Partial<Record<FaultCode, string>>>,
    /** The meaning of an API error; `message` is its own sentence. */
    explain: (_code: FaultCode, message: string) => message,
    nothingHere: 'This page doesn’t exist.',
    formExpired: 'This form has expired or didn’t come from this page. Go back, reload the page and try again.',
    formSilent: 'The form is missing an action.',
    /** Why a server in a sandbox isn't seen. */
    preview: {
      nothing: 'No server answers at this port. It may have ended, or the agent isn’t working on the task right now.',
      busy: 'The server has too many requests open. Reload the page in a moment.',
      broken: 'The server’s answer couldn’t be read: it isn’t HTTP, took too long, or broke off.',
      elsewhere: 'The server redirects to another place. Previews show only the server itself.',
    },
  },
  signIn: {
    title: 'Sign in',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    continueWith: (name: string) => `Continue with ${name}`,
    orPassword: 'or with a password',
    wrong: 'Incorrect email or password.',
    disabled: 'This account is disabled. The operator of this service can enable it again.',
    tooMany,
    noPasswords: 'Password sign-in is turned off.',
    passwordTooLong: 'The password must have at most 1000 characters.',
  },
  password: passwordTexts,
  twoStep: twoStepTexts,
  passkey: {
    or: 'or',
    submit: 'Sign in with a passkey',
    notUsed: 'No passkey was used. Try again, or enter your password.',
    wrong: 'This passkey doesn’t work here any more, or the page was open for too long. Try again, or enter your password.',
  },
  join: joinTexts,
  setUp: {
    heading: 'Welcome to Errand',
    title: 'Set up',
    lead: 'Create the owner account.',
    email: 'Email',
    password: 'Password',
    passwordHint: 'at least 8 characters',
    again: 'Confirm password',
    submit: 'Create account',
    differ: 'The passwords don’t match.',
    wrongEmail: (problem: string) => problem,
    wrongPassword: (problem: string) => problem,
    nothing: 'Setup is already complete or isn’t available here.',
  },
  consent: {
    title: (name: string) => `Connect ${name}`,
    heading: (name: string) => `Connect ${name}?`,
    signedInAs: (email: string) => `Signed in as ${email}.`,
    asks: (app: Fragment, site: Fragment) => html`${app}${site && html` (${site})`} wants to:`,
    everything: html`<strong>Access everything in your account</strong>: read and change all your tasks, projects, files, agents and websites. This is a trusted app and isn’t limited to individual permissions.`,
    scopes: scopeSentences,
    sentTo: (target: Fragment) => html`You’ll return to ${target}. Revoke access anytime under <em>Connected apps</em>.`,
    program: (scheme: Fragment) => html`the program on your device that opens ${scheme} links`,
    allow: 'Allow',
    deny: 'Deny',
    notForYou: (name: string) => `${name} isn’t available to this account`,
    notForYouTitle: 'Not available to this account',
    notForYouBody: (email: string) => `This app belongs to another team. You’re signed in as ${email}.`,
    back: 'Back to the app',
    brokenLink: 'This link doesn’t work',
    mistakes: {
      no_client_id: 'The URL is missing client_id.',
      unknown_client: 'No app with this client_id is registered here.',
      no_redirect_uri: 'The URL is missing redirect_uri.',
      foreign_redirect_uri: 'The app hasn’t registered this redirect_uri.',
    },
  },
  connectors: {
    none: 'You don’t have any connectors yet.',
    legend: 'Connectors its tasks can use',
    title: (name: string) => `Connectors for ${name}`,
    connected: (app: Fragment) => html`${app} is connected to your account.`,
    save: 'Save',
    noQuestion: 'This app doesn’t use connectors.',
    noQuestionOf: (name: string) => `${name} doesn’t use connectors.`,
    saved: (name: string) => `${name} can now use the connectors you chose.`,
    notConnected: 'No app with this client_id is connected to your account.',
    notSignedIn: 'Sign-in was canceled or failed. Nothing has changed.',
    noAnswer: 'This isn’t a valid response from the server.',
  },
  device: {
    title: 'Connect a device',
    code: 'Code',
    codeHint: 'shown on the device',
    continue: 'Continue',
    asks: (app: Fragment, code: Fragment) => html`${app}, on the device showing ${code}, wants to:`,
    beware: 'Continue only if you started this yourself on a device in front of you.',
    unknown: 'No device is waiting for this code. It may have expired; start again on the device.',
    connected: (name: string) => `${name} is connected. Return to your device.`,
    refused: (name: string) => `You denied access to ${name}.`,
  },
  sso: {
    tooMany,
    noSecret: 'This sign-in method is unavailable until ERRAND_SECRET is the same for all processes of this service.',
    foreign: 'This sign-in was started elsewhere, took longer than 10 minutes or was already used. Start again.',
    unreachable: (name: string) => `${name} isn’t responding. Try again in a minute.`,
    broken: (name: string) =>
      `Signing in with ${name} isn’t working. The server administrator can check the log and run errand doctor.`,
    clock: (name: string) =>
      `The clocks of this service and ${name} are out of sync. The server administrator needs to correct them.`,
    denied: (name: string) => `${name} didn’t sign you in. Nothing has changed.`,
    refuse,
    notLinked: (problem: string) => problem,
    on: (name: string) => `Continue to ${name}`,
    title: (name: string) => `Sign in with ${name}`,
    linked: (name: string, email: Fragment) =>
      html`You can now sign in to this account with ${name}${email && html` as ${email}`}.`,
    toSettings: 'Back to settings',
    linkLead: (name: string, email: Fragment) =>
      html`You’ll sign in to the account of ${email} with ${name}, even if your email there is different.`,
    link: (name: string) => `Link ${name}`,
  },
};

export type Texts = typeof en;
