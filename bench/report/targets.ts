import type { DatabaseKind, Figure } from './figure.ts';

/** What a figure must not fall below, or not exceed, on two cores. */
export type Target = { atLeast: number } | { atMost: number };

const everywhere = (target: Target): Record<DatabaseKind, Target> => ({ embedded: target, postgres: target });

const targets: Record<string, Partial<Record<DatabaseKind, Target>>> = {
  'task.create': { embedded: { atLeast: 6000 }, postgres: { atLeast: 5000 } },
  'task.detail': { embedded: { atLeast: 7000 }, postgres: { atLeast: 5000 } },
  'task.listMessages': { embedded: { atLeast: 7000 }, postgres: { atLeast: 5000 } },
  'end to end, offline-1': everywhere({ atLeast: 1000 }),
  'end to end, model over HTTP': everywhere({ atLeast: 1000 }),
  'event to reader, p50': everywhere({ atMost: 25 }),
  'event to all readers, p99': everywhere({ atMost: 200 }),
  'CPU of idle readers': everywhere({ atMost: 1 }),
  'memory of an idle reader': everywhere({ atMost: 25 }),
  'overhead per agent step': everywhere({ atMost: 5 }),
  "a command's first output, p50": everywhere({ atMost: 20 }),
  "a new task's first output, p50": everywhere({ atMost: 25 }),
  'first outputs of new tasks at once': everywhere({ atMost: 600 }),
  'map_rows over 1000 rows': everywhere({ atMost: 5000 }),
  'stop to model socket, p99': everywhere({ atMost: 250 }),
  'make a long report as PDF': { embedded: { atMost: 5_000 } },
  'make a long report as Word': { embedded: { atMost: 5_000 } },
  'make a deck as PowerPoint': { embedded: { atMost: 6_000 } },
  'make a deck as PDF': { embedded: { atMost: 6_000 } },
  'stop to receiver, p50': everywhere({ atMost: 50 }),
  'webhook deliveries': everywhere({ atLeast: 1000 }),
  'start on an existing store': everywhere({ atMost: 2000 }),
  'memory, after load': everywhere({ atMost: 150 }),
  'check of an API key, warm': everywhere({ atMost: 50 }),
  'check of an access token, warm': everywhere({ atMost: 50 }),
  'revoked key refused everywhere, longest': everywhere({ atMost: 1000 }),
  'lag of scheduled runs, p99': everywhere({ atMost: 1000 }),
  'CPU of schedules that are not due': everywhere({ atMost: 0.5 }),
  'CPU of waiting tasks': everywhere({ atMost: 0.5 }),
};

/** What holds for an account however another one behaves. */
function targetOfTenant(name: string): Target | null {
  if (/^(create|read|command), (alone|beside .*), p99$/.test(name)) return { atMost: 1000 };
  return /^failures, (alone|beside .*)$/.test(name) ? { atMost: 0 } : null;
}

/** What must not take much longer with the tasks of a year than with few. */
function targetOfYear(name: string, unit: Figure['unit']): Target | null {
  return name.startsWith('a year: ') && unit === '×' ? { atMost: 1.2 } : null;
}

/** What tracing may cost without a receiver. */
function targetOfTracing(name: string): Target | null {
  return name.startsWith('tracing off, ') ? { atMost: 1 } : null;
}

export function targetOf({ name, database, unit }: Pick<Figure, 'name' | 'database' | 'unit'>): Target | null {
  return targets[name]?.[database] ?? targetOfTenant(name) ?? targetOfTracing(name) ?? targetOfYear(name, unit);
}

export function meets(value: number, target: Target): boolean {
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}
