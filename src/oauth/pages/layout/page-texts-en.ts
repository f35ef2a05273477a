import type { FaultCode } from '@errand/base/fault.ts';
import { scopeSentences } from '../../../rules/oauth/oauth-scopes.ts';
import type { SignInRefusal } from '../../../rules/accounts/sign-in-policy.ts';
import { html, type Fragment } from './html.ts';

const tooMany = 'Too many attempts. Wait a while and try again.';

function refuse(refusal: SignInRefusal, email: string | null, name: string): string {
  const who = email ?? 'you';
  const problems: Readonly<Record<SignInRefusal, string>> = {
    unverified:
      email === null
        ? `${name} does not tell your e-mail address. Add one there, or ask whoever runs this service.`
        : `${name} does not say that ${email} is verified. Confirm the address there, or ask whoever runs this service.`,
    domain: `${who} has no address that may sign in here. Choose another account at ${name}, or ask whoever runs this service.`,
    none: `There is no account for ${who}. Ask whoever runs this service to create it.`,
    taken: `The account of ${who} belongs to somebody else at ${name}. Ask whoever runs this service to unlink that.`,
  };
  return problems[refusal];
}

/** Everything that the pages say. The other languages have the same texts, or do not compile. */
export const en = {
  /** For `<html lang>`. */
  tag: 'en',
  page: {
    skip: 'Skip to the content',
    signOut: 'Sign out',
    reference: 'Reference:',
    toFirst: 'Go to the first page',
  },
  fault: {
    title: 'That did not work',
    titles: {
      not_found: 'Not here',
      internal: 'Something went wrong',
      unavailable: 'Try again in a moment',
    } as Readonly<Partial<Record<FaultCode, string>>>,
    /** What an error of the API means, whose own sentence is `message`. */
    explain: (_code: FaultCode, message: string) => message,
    nothingHere: 'Nothing exists at this URL.',
    formExpired: 'This form has expired or was not made by this page. Go back, load the page again and repeat.',
    formSilent: 'The form does not say what to do.',
  },
  signIn: {
    title: 'Sign in',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    continueWith: (name: string) => `Continue with ${name}`,
    orPassword: 'or with a password',
    wrong: 'The e-mail address or the password is wrong.',
    tooMany,
    noPasswords: 'Nobody signs in with a password here.',
    passwordTooLong: 'password: must have at most 1000 characters',
  },
  setUp: {
    heading: 'Welcome to Errand',
    title: 'Set up',
    lead: 'This instance is new. Choose the password with which its owner signs in.',
    email: 'E-mail address',
    password: 'Password',
    passwordHint: 'at least 8 characters',
    again: 'The same password again',
    submit: 'Set up',
    differ: 'The two passwords differ.',
    wrongEmail: (problem: string) => problem,
    wrongPassword: (problem: string) => problem,
    nothing: 'There is nothing to set up here.',
  },
  consent: {
    title: (name: string) => `Connect ${name}`,
    heading: (name: string) => `Connect ${name}?`,
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    asks: (app: Fragment, site: Fragment) => html`${app}${site && html` (${site})`} asks to be allowed to:`,
    everything: html`<strong>Everything you can do here</strong>: read and change all of your tasks, projects, files, agents and websites. It is a trusted application and is not limited to single permissions.`,
    scopes: scopeSentences,
    sentTo: (target: Fragment) =>
      html`You will be sent to ${target}. You can end this at any time under <em>Connected apps</em>.`,
    program: (scheme: Fragment) => html`the program on your device that opens ${scheme} addresses`,
    allow: 'Allow',
    deny: 'Do not allow',
    notForYou: (name: string) => `${name} is not for this account`,
    notForYouTitle: 'Not for this account',
    notForYouBody: (email: string) => `It is an application of another team. You are signed in as ${email}.`,
    back: 'Back to the application',
    brokenLink: 'This link does not work',
    mistakes: {
      no_client_id: 'The address lacks client_id.',
      unknown_client: 'No application with this client_id is registered here.',
      no_redirect_uri: 'The address lacks redirect_uri.',
      foreign_redirect_uri: 'The redirect_uri is not one that the application has registered.',
    },
  },
  connectors: {
    none: 'You have no connectors yet, so there are none for it to use.',
    legend: 'Connectors that its tasks may use',
    title: (name: string) => `Connectors of ${name}`,
    connected: (app: Fragment) => html`${app} is connected to your account.`,
    save: 'Save',
    noQuestion: 'It does not ask for connectors.',
    noQuestionOf: (name: string) => `${name} does not ask for connectors.`,
    saved: (name: string) => `${name} can use what you have chosen.`,
    notConnected: 'No application with this client_id is connected to your account.',
    notSignedIn: 'The server did not sign you in; nothing has changed.',
    noAnswer: 'This is no answer of a server.',
  },
  device: {
    title: 'Connect a device',
    code: 'Code',
    codeHint: 'as the device shows it',
    goOn: 'Go on',
    asks: (app: Fragment, code: Fragment) => html`${app}, on the device that shows ${code}, asks to be allowed to:`,
    beware: 'Go on only when you have started this yourself, at a device in front of you.',
    unknown: 'No device waits with this code. It may have expired; start again at the device.',
    connected: (name: string) => `${name} is connected. Go back to your device.`,
    refused: (name: string) => `${name} was not allowed.`,
  },
  sso: {
    tooMany,
    noSecret: 'Nobody can sign in this way before ERRAND_SECRET is the same for all processes of this service.',
    foreign: 'This sign-in was begun elsewhere, took longer than ten minutes, or is used already. Start again.',
    unreachable: (name: string) => `${name} does not answer at the moment. Try again in a minute.`,
    broken: (name: string) =>
      `Signing in with ${name} does not work. Whoever runs this service learns more from its log and from errand doctor.`,
    clock: (name: string) => `The clocks of this service and of ${name} differ. Whoever runs this service has to set them right.`,
    denied: (name: string) => `${name} did not sign you in; nothing has changed.`,
    refuse,
    notLinked: (problem: string) => problem,
    on: (name: string) => `On to ${name}`,
    title: (name: string) => `Signing in with ${name}`,
    linked: (name: string, email: Fragment) => html`${name} signs you in to this account${email && html`, as ${email}`}.`,
    toSettings: 'Back to the settings',
    linkLead: (name: string, email: Fragment) =>
      html`From now on ${name} signs you in to the account of ${email}, whatever your address there is.`,
    link: (name: string) => `Link with ${name}`,
  },
};

export type Texts = typeof en;
