import type { SecurityEvent } from '../../rules/accounts/security-event.ts';
import type { Script } from './store-operation.ts';

/** Called with each security event once it is durable, in the process that wrote it. */
export type NotifySecurityEvent = (event: SecurityEvent) => void;

/** Runs a script and collects the security events of its statements in `notified`; restarting the script clears them. */
export function* collectSecurityEvents<Result>(script: Script<Result>, notified: SecurityEvent[]): Script<Result> {
  notified.length = 0;
  let step = script.next([]);
  while (!step.done) {
    for (const { event } of step.value) if (event) notified.push(event);
    step = script.next(yield step.value);
  }
  return step.value;
}
