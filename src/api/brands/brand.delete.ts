import { z } from 'zod';
import { deleteBrand } from '../../store/brands/brands.ts';
import { defineOperation } from '../contract/operation.ts';
import { brandKeyFields, keyOfBrand } from './brand-key.ts';

export const brandDelete = defineOperation('POST', 'brand.delete', {
  summary: 'Deletes the brand of an account or a project, with its files.',
  details: 'Tasks of the project then have the brand of the account, if one is set.',
  access: 'all_tasks',
  request: z.object(brandKeyFields),
  response: z.object({ deleted: z.boolean().meta({ description: 'False if none was set.' }) }),
  async handle(input, context) {
    return { deleted: await context.write(deleteBrand, keyOfBrand(input, context)) };
  },
});
