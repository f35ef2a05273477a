import type { PendingCall } from '../../rules/tasks/task-state.ts';
import type { TaskRun } from '../agent-ports.ts';

/** Waits until a call may run; returns a function that ends it. */
export async function enterTool(
  { task, ports, resources }: Pick<TaskRun, 'task' | 'ports' | 'resources'>,
  { tool }: PendingCall,
  signal: AbortSignal,
): Promise<() => void> {
  // The calls that it makes about rows have slots of their own, and meanwhile it only waits.
  const leave = tool === 'map_rows' ? null : await ports.toolSlots.enter({ owner: task.accountId, signal });
  await ports.resourcePool.begin(resources);
  return () => {
    ports.resourcePool.end(resources);
    leave?.();
  };
}
