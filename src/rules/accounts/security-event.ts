import type { Principal } from './access.ts';

/** Security events of an account, each with the detail most useful to a reader. */
export const securityEventKinds = [
  'account_created',
  'password_set',
  'password_link_created',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'two_step_asked',
  'two_step_on',
  'two_step_off',
  'recovery_codes_created',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'identity_linked',
  'identity_unlinked',
  'key_created',
  'key_revoked',
  'secret_created',
  'secret_revoked',
  'app_created',
  'app_changed',
  'app_deleted',
  'app_connected',
  'app_disconnected',
  'app_connectors_chosen',
  'team_created',
  'team_invited',
  'team_joined',
  'team_left',
  'team_switched',
  'team_role_changed',
  'chat_linked',
  'chat_unlinked',
  'schedule_created',
  'schedule_deleted',
  'trigger_created',
  'trigger_changed',
  'trigger_deleted',
  'budget_set',
  'limit_set',
  'policy_set',
  'model_key_set',
  'model_key_removed',
  'account_changed',
  'account_disabled',
  'account_enabled',
  'account_deleted',
  'account_exported',
  'account_imported',
  'instance_key_created',
  'instance_key_revoked',
  'models_set',
  'models_reset',
  'worker_draining',
  'worker_resumed',
  'secrets_resealed',
] as const;

export type SecurityEventKind = (typeof securityEventKinds)[number];

/** The record of what was done to the whole instance and to its accounts is kept under this in place of an account. */
export const instanceRecord = 'instance';

/** One line of the account's record. Nothing in it is secret: ids, names and addresses, never a credential. */
export interface SecurityEvent {
  accountId: string;
  atMs: number;
  kind: SecurityEventKind;
  /** The caller in the form of `actorOf`. */
  actor: string;
  detail: Readonly<Record<string, string>>;
}

/** A caller as one word: the kind and ID of its credential, or of the chat that a person writes in. */
export function actorOf({ via }: Principal): string {
  if (via.kind === 'api_key') return `api_key:${via.keyId}`;
  if (via.kind === 'oauth') return `app:${via.clientId}`;
  if (via.kind === 'session') return `session:${via.sessionId}`;
  if (via.kind === 'instance_key') return `instance_key:${via.keyId}`;
  if (via.kind === 'operator' && via.chatId !== undefined) return `chat:${via.chatId}`;
  if (via.kind === 'operator' && via.isByMail) return 'mail';
  return via.kind;
}
