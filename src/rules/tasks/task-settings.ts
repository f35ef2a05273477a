import type { TaskConfig } from '../events/task-event.ts';

/** What the owner has set for a task, as opposed to what came with single messages. */
const lasting = [
  'persona',
  'connectors',
  'skills',
  'projectId',
  'instruction',
  'actions',
  'memory',
] as const satisfies (keyof TaskConfig)[];

/** The settings of a task that outlive single messages, from its configuration changes in order. */
export function defaultSettings(changes: readonly Record<string, unknown>[]): TaskConfig {
  const all = new Map(changes.flatMap((change) => Object.entries(change)));
  return Object.fromEntries(lasting.flatMap((name) => (all.has(name) ? [[name, all.get(name)]] : [])));
}
