import type { TaskConfig, UserMessage } from '../events/task-event.ts';

interface Granted {
  taskConfig: TaskConfig;
  /** Tools of connectors by name, with a fingerprint to detect changes. */
  pins: Readonly<Record<string, string>> | null;
}

/** The state with the connectors that a message's author may use; a change pins connector tools again. */
export function takeGrant<State extends Granted>(state: State, { connectorGrant: now }: UserMessage): State {
  const { connectorGrant: before, ...taskConfig } = state.taskConfig;
  if (before?.join() === now?.join()) return state;
  return { ...state, pins: null, taskConfig: now === undefined ? taskConfig : { ...taskConfig, connectorGrant: now } };
}
