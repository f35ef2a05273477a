import type { Operation } from '../../api/contract/operation.ts';

/** Verbs whose operations remove something permanently. */
const removing = /^(delete|clear|revoke|remove)/;

/** Operations that make a model work although their rate limit is not that of new work. */
const working: ReadonlySet<string> = new Set(['task.confirmAction', 'schedule.create', 'model.testKey', 'instance.testModel']);

/**
 * What a person should agree to before calling an operation by hand: `deletes` removes something permanently, `costs` makes an agent or a
 * model work. In the OpenAPI document it is `x-effect`. Null for all other operations.
 */
export function effectOf({ name, cost }: Pick<Operation, 'name' | 'cost'>): 'deletes' | 'costs' | null {
  const [, verb = ''] = name.split('.');
  if (removing.test(verb)) return 'deletes';
  return cost === 'create' || working.has(name) ? 'costs' : null;
}
