export const passwordLinks = {
  title: 'Password',
  lead: 'For someone who forgot their password, or never had one. They set a new one with a link that you send them.',
  make: 'Create password link',
  made: (email: string) => `Password link for ${email}`,
  shownOnce: 'It works once, for 30 minutes, and whoever has it can set the password. Send it to the owner of the account only.',
};
