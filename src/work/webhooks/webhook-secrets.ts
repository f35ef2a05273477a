import { randomBytes } from 'node:crypto';
import { Fault } from '@errand/base/fault.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { secretPrefix } from '../../rules/webhooks/webhook-signature.ts';

const secretBytes = 32;

/** The secrets of webhooks, which leave this class sealed or on their way to their owner. */
export class WebhookSecrets {
  readonly #sealedBox: SealedBox | null;

  /** @param box null for a process that cannot open the secrets of this instance */
  constructor(box: SealedBox | null) {
    this.#sealedBox = box;
  }

  /** A new secret, sealed for its webhook. */
  create(webhookId: string): string {
    return this.#box().seal(`${secretPrefix}${randomBytes(secretBytes).toString('base64')}`, sealedPlaces.webhook(webhookId));
  }

  /** The text of a secret as its owner knows it. */
  open(webhookId: string, sealed: string): string {
    return this.#box().open(sealed, sealedPlaces.webhook(webhookId));
  }

  #box(): SealedBox {
    if (this.#sealedBox) return this.#sealedBox;
    throw new Fault('failed_precondition', 'This process cannot sign webhooks: its ERRAND_SECRET is not that of the others.');
  }
}
