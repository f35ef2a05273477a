import { z } from 'zod';
import { defineOperation } from '../../contract/operation.ts';

export const instanceFindLocalModel = defineOperation('GET', 'instance.findLocalModel', {
  summary: 'Looks for a model that Ollama or LM Studio offers on the machine of the service.',
  details: 'It looks at their default ports only, for less than a second.',
  access: 'instance',
  request: z.object({}),
  response: z.object({
    model: z.string().nullable().meta({ description: 'The model that was found, as `provider/model`; null if there is none.' }),
  }),
  async handle(_, { models }) {
    return { model: await models.findLocal() };
  },
});
