import { describe, expect, it } from 'vitest';
import { noRegistries } from '../rules/egress/package-registries.ts';
import { addHosts, addTaints, freshTrust, type Trust } from '../rules/egress/trust.ts';
import { emptyState } from '../rules/tasks/task-state.ts';
import { createCommandEgress } from '../tools/commands/command-egress.ts';
import { createEgressGuard } from './task-egress-guard.ts';

/** The network access of the sandbox that a task keeps, whose trust changes from call to call. */
function openTask(trust: Trust) {
  const journal = { state: { ...emptyState, trust } };
  const guard = createEgressGuard(journal, false, () => true);
  const connected: string[] = [];
  const parts = { policy: { kind: 'public' as const }, registries: noRegistries };
  const egress = createCommandEgress(
    parts,
    () => guard,
    connected,
    () => undefined,
  );
  const reach = (host: string, port = 443) => {
    if (egress?.refuse(host, port) !== null) return false;
    egress.onConnect(host);
    return true;
  };
  return { reach, see: (change: (trust: Trust) => Trust) => (journal.state = { ...journal.state, trust: change(trust) }) };
}

describe('the sandbox that a task keeps between calls', () => {
  const withFiles = { ...addHosts(freshTrust, 'Look at named.test and api.test:8443'), hasFiles: true };

  it('reaches one stranger and no second once the user has attached files, and what the user has named on its ports alone', () => {
    const { reach } = openTask(withFiles);
    expect([reach('first.test'), reach('second.test'), reach('first.test')]).toEqual([true, false, true]);
    expect([reach('named.test', 80), reach('named.test', 22), reach('api.test', 8443), reach('api.test')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('is held to what the task has read since its processes began', () => {
    const { reach, see } = openTask(freshTrust);
    expect([reach('first.test'), reach('second.test')]).toEqual([true, true]);
    see((trust) => addTaints(trust, ['private', 'untrusted']));
    expect([reach('first.test'), reach('third.test')]).toEqual([false, false]);
  });

  it('has nothing of what another task has read or was told', () => {
    const named = openTask({ ...addTaints(withFiles, ['private', 'untrusted']) });
    const other = openTask(addTaints(freshTrust, ['private', 'untrusted']));
    expect([named.reach('named.test'), other.reach('named.test')]).toEqual([true, false]);
  });
});
