import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { brandScopes, type BrandScope } from '../../rules/brands/brand.ts';
import type { BrandKey } from '../../store/brands/brands.ts';
import { optional } from '../contract/fields.ts';
import { type Context } from '../contract/operation.ts';
import { keyOfProject } from '../contract/owned-project.ts';

/** The fields that name the brand of a request. */
export const brandKeyFields = {
  scope: z.enum(brandScopes).meta({ description: 'The brand of a project takes the place of that of the account.' }),
  id: optional(z.string()).meta({
    description: 'Id of the project. For the scope `account`, it can be omitted and is that of the caller.',
  }),
};

/** The key of the brand that the caller means. */
export function keyOfBrand({ scope, id }: { scope: BrandScope; id?: string | undefined }, context: Context): BrandKey {
  const { accountId } = context.principal;
  if (scope === 'account') return { accountId, scope, scopeId: id || accountId };
  if (!id) throw invalidField('id', 'is required: the project that the brand is for');
  return { accountId, scope, scopeId: keyOfProject(id, context).projectId };
}
