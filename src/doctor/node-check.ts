import type { Check, DoctorContext } from './check.ts';

const oldestNode = 24;

/** Whether Node.js is recent enough. */
export function checkNode({ nodeVersion: found }: DoctorContext): Check {
  if (Number.parseInt(found, 10) >= oldestNode) return { name: 'node', state: 'ok', found };
  const remedy = `requires ${oldestNode} or later; npm ci installs it: start Errand with npm start or bin/errand`;
  return { name: 'node', state: 'failed', found, remedy };
}
