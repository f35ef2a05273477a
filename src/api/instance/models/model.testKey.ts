import { z } from 'zod';
import { pageEnd } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { modelKeyFields } from './model-key-object.ts';
import { modelTestObject, presentTest, readModelProfile } from './model-object.ts';

export const modelTestKey = defineOperation('POST', 'model.testKey', {
  summary: "Asks each model of a profile one short question with the account's own key, and returns how it went.",
  details:
    'With `models`, `base_url`, or `api_key`, it tests what model.setKey with these would set, and stores nothing. A model has 20 seconds to answer. The provider may charge for the call.',
  access: 'account',
  hasSecret: true,
  request: z.object(modelKeyFields),
  response: z.object({ data: z.array(modelTestObject), ...pageEnd }),
  async handle({ profile: name, models, base_url: baseUrl, api_key: apiKey }, context) {
    const { modelKeys, principal, outwardSignal: signal } = context;
    const change = { profile: readModelProfile(name, context), models: models ?? undefined, baseUrl, apiKey };
    return { data: (await modelKeys.test(principal.accountId, change, signal)).map(presentTest), has_more: false };
  },
});
