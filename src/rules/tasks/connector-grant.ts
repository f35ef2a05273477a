import type { UserMessage } from '../events/task-event.ts';
import type { TaskState } from './task-shape.ts';

/** The state with what the writer of a message may use; tools of connectors are pinned anew when that is something else than before. */
export function takeGrant<State extends Pick<TaskState, 'taskConfig' | 'pins'>>(
  state: State,
  { connectorGrant: now }: UserMessage,
): State {
  const { connectorGrant: before, ...taskConfig } = state.taskConfig;
  if (before?.join() === now?.join()) return state;
  return { ...state, pins: null, taskConfig: now === undefined ? taskConfig : { ...taskConfig, connectorGrant: now } };
}
