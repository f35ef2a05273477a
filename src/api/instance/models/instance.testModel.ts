import { z } from 'zod';
import { pageEnd } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { modelFields, modelTestObject, presentTest, profileField, readModelProfile } from './model-object.ts';

export const instanceTestModel = defineOperation('POST', 'instance.testModel', {
  summary: 'Asks each model of a profile one short question, and returns how it went.',
  details:
    'With `models`, `base_url`, or `api_key`, it tests what instance.setModel with these would set, and stores nothing. A model has 20 seconds to answer. The call is not billed to any account.',
  access: 'instance',
  hasSecret: true,
  request: z.object({
    profile: profileField,
    models: modelFields.models.meta({ description: 'The models to test, in the form of instance.setModel.' }),
    base_url: modelFields.base_url,
    api_key: modelFields.api_key,
  }),
  response: z.object({ data: z.array(modelTestObject), ...pageEnd }),
  async handle({ profile: name, models: names, base_url, api_key }, context) {
    const { models, outwardSignal: signal } = context;
    const change = { profile: readModelProfile(name, context), models: names ?? undefined, baseUrl: base_url, apiKey: api_key };
    return { data: (await models.test(change, signal)).map(presentTest), has_more: false };
  },
});
