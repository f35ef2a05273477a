/** What is stored sealed for a trigger: the sender's secret, and the unguessable part of its URL or address. */
export type TriggerSecretKind = 'secret' | 'token';

/** Seals the secrets of triggers. Their text is only ever shown to the trigger's owner. */
export interface TriggerSecretBox {
  seal(triggerId: string, kind: TriggerSecretKind, text: string): string;
  open(triggerId: string, kind: TriggerSecretKind, sealed: string): string;
}
