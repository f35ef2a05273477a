/** Texts of the page that asks for the second step of a sign-in. */
export const twoStepTexts = {
  title: 'Two-step sign-in',
  lead: 'Enter the code that your authenticator app shows.',
  code: 'Code',
  recoveryLead: 'Enter one of your recovery codes. Each works once.',
  recoveryCode: 'Recovery code',
  useRecovery: 'Use a recovery code',
  useApp: 'Use your authenticator app',
  submit: 'Continue',
  lost: 'No codes left? The administrator of this service can turn two-step sign-in off for you.',
  restart: 'Start over',
  wrong: 'This code is wrong, or was already used. Wait for the next one and enter that.',
  tooMany: 'Too many attempts. Wait a while, or use a recovery code.',
  expired: 'That took longer than 10 minutes. Sign in again.',
  noSecret:
    'Codes can’t be checked until ERRAND_SECRET is the same for all processes of this service. A recovery code works meanwhile.',
};

export type TwoStepTexts = typeof twoStepTexts;
