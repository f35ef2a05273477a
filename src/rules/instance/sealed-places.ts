/**
 * What each secret that is sealed at rest is bound to: its row, so that sealed texts cannot be exchanged. Whoever adds a sealed column lists
 * it here and in `store/instance/sealed-values.ts`, by which a new secret of the instance reaches it.
 */
export const sealedPlaces = {
  signingKey: (generation: number | string, column: string): string => `signing_keys ${generation} ${column}`,
  /** The secret of a webhook and the one before it. */
  webhook: (webhookId: string): string => `webhooks ${webhookId} secret`,
  connector: (accountId: string, connectorId: string): string => `connectors ${accountId} ${connectorId}`,
  /** The secret of an authenticator app. */
  authenticator: (id: string): string => `authenticators ${id} secret`,
  trigger: (triggerId: string, column: string): string => `triggers ${triggerId} ${column}`,
  /** The key of a model provider. */
  modelKey: (profile: string): string => `model_settings ${profile} api_key`,
  /** The key of an account for its model provider. */
  accountModelKey: (accountId: string, profile: string): string => `model_keys ${accountId} ${profile} api_key`,
  /** The endpoint and the keys of a browser. */
  pushTarget: (subscriptionId: string): string => `push_subscriptions ${subscriptionId} target`,
  /** The URL of a file that a message waits for. It is in the log, and of use only until the file is fetched: a new secret does not reach it. */
  awaitedFile: (accountId: string): string => `messages ${accountId} file_url`,
  instanceValue: (name: string): string => name,
};
