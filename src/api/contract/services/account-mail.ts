/** Sends mail to the users of accounts. */
export interface AccountMail {
  /** Makes one attempt to send. `id` identifies the mail. */
  send(mail: { to: string; subject: string; text: string; id: string }): Promise<{ outcome: 'sent' } | { problem: string }>;
}
