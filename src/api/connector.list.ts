import { z } from 'zod';
import { listConnectors } from '../store/connectors.ts';
import { connectorObject, mayUseConnectors, presentConnector } from './connector-object.ts';
import { defineOperation } from './operation.ts';

export const connectorList = defineOperation({
  name: 'connector.list',
  method: 'GET',
  summary: 'Lists the connectors of the account that the caller may use in tasks.',
  access: 'tasks',
  cost: 'read',
  request: z.object({}),
  response: z.object({ data: z.array(connectorObject) }),
  async handle(_, { principal, read }) {
    if (!mayUseConnectors(principal)) return { data: [] };
    return { data: (await read(listConnectors, principal.accountId)).map(presentConnector) };
  },
});
