import type { Operation } from '../../api/contract/operation.ts';
import type { LegacyOperation } from '../../legacy/legacy-operation.ts';

/** Verbs whose operations remove something permanently. */
const removing = /^(delete|clear|revoke|remove)/;

/** Verbs whose operations put what they are given in place of what there is, even as the sample has it. */
const replacing = /^(set|restore|publish|rotate|write)/;

/** Operations whose sample names what each account has, so that it changes that. */
const changing: ReadonlySet<string> = new Set(['agent.update']);

/** Operations that make a model work although their rate limit is not that of new work. */
const working: ReadonlySet<string> = new Set(['task.confirmAction', 'schedule.create', 'model.testKey', 'instance.testModel']);

/** `deletes` removes something permanently, `costs` makes an agent or a model work, `replaces` overwrites what is set now. */
type Effect = 'deletes' | 'costs' | 'replaces';

/**
 * What a person should agree to before calling an operation by hand. In the OpenAPI document it is `x-effect`. Null for all other
 * operations.
 */
export function effectOf({ name, cost }: Pick<Operation, 'name' | 'cost'>): Effect | null {
  const [, verb = ''] = name.split('.');
  if (removing.test(verb)) return 'deletes';
  if (cost === 'create' || working.has(name)) return 'costs';
  return replacing.test(verb) || changing.has(name) ? 'replaces' : null;
}

/** The same of an operation of v1, which has no verb but its method. */
export function legacyEffectOf({ method, cost }: Pick<LegacyOperation, 'method' | 'cost'>): Effect | null {
  if (method === 'DELETE') return 'deletes';
  return cost === 'create' ? 'costs' : null;
}
