/** What of a trigger is stored sealed: the sender's secret, and what makes its URL or address unguessable. */
export type TriggerSecretKind = 'secret' | 'token';

/** Seals what proves who sends to a trigger; the text leaves the service only for the trigger's owner. */
export interface TriggerSecretBox {
  seal(triggerId: string, kind: TriggerSecretKind, text: string): string;
  open(triggerId: string, kind: TriggerSecretKind, sealed: string): string;
}
