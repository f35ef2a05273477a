import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import type { DeliveryPorts } from '../../api/triggers/delivery-ends.ts';
import type { RateVerdict } from '../../rules/instance/rate-window.ts';
import type { FoundTrigger } from '../../store/triggers/triggers.ts';
import { type ContextParts, createContext } from '../operations/request-context.ts';
import type { RateLimiter } from '../rate-limits/rate-limiter.ts';

export interface DeliveryParts extends ContextParts {
  clock: Clock;
  limiter: RateLimiter | null;
}

function checkRate({ isAdmitted, resetS }: RateVerdict): void {
  if (isAdmitted) return;
  throw new Fault('resource_exhausted', 'This trigger is sent too much; try again later.', { retryAfterS: resetS });
}

/** Counts what is sent to a trigger; throws if that is too much. */
export async function countDelivery({ limiter }: DeliveryParts, { id }: FoundTrigger): Promise<void> {
  if (limiter) checkRate(await limiter.take(id, 'trigger'));
}

/**
 * Acts for the account of the trigger.
 * @param sender whose signal says that it has gone
 */
export function openPorts(parts: DeliveryParts, trigger: FoundTrigger, sender: { readonly signal: AbortSignal }): DeliveryPorts {
  const { database, limiter, clock } = parts;
  const { accountId, plan, accountLocale: locale, request } = trigger;
  const principal = { accountId, plan, locale, via: { kind: 'operator' as const } };
  const caller = { principal, family: request.family, credential: 'trigger', isStillValid: () => Promise.resolve(true) };
  return {
    context: createContext(parts, caller, clock.now(), null, sender),
    run: (operation, args) => database.run(operation, args),
    async countStart() {
      if (limiter) checkRate(await limiter.take(accountId, 'create'));
    },
  };
}
