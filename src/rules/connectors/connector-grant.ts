import type { TaskConfig, UserMessage } from '../events/task-event.ts';

interface Granted {
  taskConfig: TaskConfig;
  /** Tools of connectors by name, with a fingerprint to detect changes. */
  pins: Readonly<Record<string, string>> | null;
}

/** What a message changes about the connectors that its author may use; null for nothing. A change pins connector tools again. */
export function takeGrant(state: Granted, { connectorGrant: now }: UserMessage): Granted | null {
  if (state.taskConfig.connectorGrant?.join() === now?.join()) return null;
  const { connectorGrant: _before, ...taskConfig } = state.taskConfig;
  return { pins: null, taskConfig: now === undefined ? taskConfig : { ...taskConfig, connectorGrant: now } };
}
