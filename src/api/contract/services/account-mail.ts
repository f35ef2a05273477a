/** What sends mail to the users of accounts. */
export interface AccountMail {
  /** One attempt. `id` names the mail. */
  send(mail: { to: string; subject: string; text: string; id: string }): Promise<{ outcome: 'sent' } | { problem: string }>;
}
