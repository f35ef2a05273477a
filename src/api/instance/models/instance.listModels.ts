import { z } from 'zod';
import { pageEnd } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { presentModels, profileModelsObject } from './model-object.ts';

export const instanceListModels = defineOperation('GET', 'instance.listModels', {
  summary: 'Lists the models of each profile, and where they are set.',
  access: 'instance',
  request: z.object({}),
  response: z.object({ data: z.array(profileModelsObject), ...pageEnd }),
  async handle(_, { models, family }) {
    return { data: (await models.list()).map((each) => presentModels(each, family)), has_more: false };
  },
});
