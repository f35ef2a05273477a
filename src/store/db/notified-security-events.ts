import type { SecurityEvent } from '../../rules/accounts/security-event.ts';
import type { Script } from './store-operation.ts';

/** Receives each security event once it is durable, by the process that wrote it. */
export type NotifySecurityEvent = (event: SecurityEvent) => void;

/** The same script, with the events of its statements put into `notified`; a script that is begun anew begins them anew too. */
export function* collectSecurityEvents<Result>(script: Script<Result>, notified: SecurityEvent[]): Script<Result> {
  notified.length = 0;
  let step = script.next([]);
  while (!step.done) {
    for (const { event } of step.value) if (event) notified.push(event);
    step = script.next(yield step.value);
  }
  return step.value;
}
