/** Texts of the pages and the mail by which people set a new password. */
export const passwordTexts = {
  forgot: 'Forgot your password?',
  title: 'Reset your password',
  lead: 'Enter the email of your account. We’ll send you a link to set a new password.',
  email: 'Email',
  send: 'Send link',
  tooMany: 'Too many requests. Wait a while and try again.',
  sentTitle: 'Check your email',
  sent: 'If there’s an account with a password for this email, a link is on its way. It works once, for 30 minutes.',
  notHere: 'This service sends no email. Ask an owner of this instance for a link to set a new password.',
  toSignIn: 'Back to sign-in',
  setTitle: 'Set a new password',
  setLead: (email: string) => `For ${email}. You’ll be signed out everywhere.`,
  password: 'New password',
  hint: 'at least 8 characters',
  again: 'Confirm new password',
  save: 'Set password',
  differ: 'The passwords don’t match.',
  wrong: (problem: string) => problem,
  brokenTitle: 'This link doesn’t work',
  broken: 'It was already used, or is older than 30 minutes. Ask for a new one.',
  doneTitle: 'Password set',
  done: 'You can now sign in with your new password.',
  signIn: 'Sign in',
  mail: {
    subject: 'Set a new password for Errand',
    text: (url: string) =>
      [
        'Somebody asked for a new password for your Errand account. To set one, open this link within 30 minutes:',
        url,
        'If it wasn’t you, ignore this email. Your password stays as it is.',
      ].join('\n\n'),
  },
};

export type PasswordTexts = typeof passwordTexts;
