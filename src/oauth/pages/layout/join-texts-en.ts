/** Texts of the page on which people who were invited make an account. */
export const joinTexts = {
  title: (team: string) => `Join ${team}`,
  lead: 'Choose a password to create your account.',
  email: 'Email',
  password: 'Password',
  again: 'Confirm password',
  submit: 'Create account',
  gone: 'This invitation no longer makes an account. It was used, withdrawn, or is older than seven days, or its address has an account already: then sign in.',
};

export type JoinTexts = typeof joinTexts;
