import { z } from 'zod';
import { getBrand } from '../../store/brands/brands.ts';
import { defineOperation } from '../contract/operation.ts';
import { brandKeyFields, keyOfBrand } from './brand-key.ts';
import { brandObject, presentBrand } from './brand-object.ts';

export const brandGet = defineOperation('GET', 'brand.get', {
  summary: 'Returns the brand of an account or a project.',
  access: 'all_tasks',
  request: z.object(brandKeyFields),
  response: z.object({ brand: brandObject.nullable().meta({ description: 'Null if none is set.' }) }),
  async handle(input, context) {
    const stored = await context.read(getBrand, keyOfBrand(input, context));
    return { brand: stored && (await presentBrand(stored, context)) };
  },
});
