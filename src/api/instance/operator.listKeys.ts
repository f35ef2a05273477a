import { z } from 'zod';
import { listInstanceKeys } from '../../store/instance/instance-keys.ts';
import { instanceKeyObject, presentInstanceKey } from '../accounts/key-object.ts';
import { defineOperation } from '../contract/operation.ts';

export const operatorListKeys = defineOperation('GET', 'operator.listKeys', {
  summary: 'Lists the keys that administer the instance, oldest first.',
  access: 'operator',
  request: z.object({}),
  response: z.object({ data: z.array(instanceKeyObject) }),
  async handle(_, { read }) {
    return { data: (await read(listInstanceKeys, null)).map(presentInstanceKey) };
  },
});
