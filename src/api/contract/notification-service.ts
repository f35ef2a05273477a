/** How this service can notify people. */
export interface NotificationService {
  /** The public key of the service for subscriptions of browsers, in Base64url; null for a process that cannot push. */
  pushKey: string | null;
  /** Whether mail can be sent. */
  hasMail: boolean;
}
