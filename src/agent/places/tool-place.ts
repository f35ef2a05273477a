import type { PendingCall } from '../../rules/tasks/task-state.ts';
import type { Turn } from '../agent-ports.ts';

/** Waits until a call may run; returns a function that ends it. */
export async function enterTool(
  { task, ports, held }: Pick<Turn, 'task' | 'ports' | 'held'>,
  { tool }: PendingCall,
  signal: AbortSignal,
): Promise<() => void> {
  // The calls that it makes about rows have places of their own, and meanwhile it only waits.
  const leave = tool === 'map_rows' ? null : await ports.toolPlaces.enter({ owner: task.accountId, signal });
  await ports.keptThings.begin(held);
  return () => {
    ports.keptThings.end(held);
    leave?.();
  };
}
