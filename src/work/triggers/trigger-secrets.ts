import { Fault } from '@errand/base/fault.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';

/**
 * The port `TriggerSecretBox` of `api`.
 * @param box null for a process that cannot open the secrets of this instance
 */
export function createTriggerSecrets(box: SealedBox | null) {
  const opened = (): SealedBox => {
    if (box) return box;
    throw new Fault('failed_precondition', 'This process cannot read triggers: its ERRAND_SECRET is not that of the others.');
  };
  return {
    seal: (triggerId: string, kind: string, text: string): string => opened().seal(text, sealedPlaces.trigger(triggerId, kind)),
    open: (triggerId: string, kind: string, sealed: string): string =>
      opened().open(sealed, sealedPlaces.trigger(triggerId, kind)),
  };
}
