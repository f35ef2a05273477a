import { z } from 'zod';
import { grantedConnectorsOf } from '../../rules/accounts/access.ts';
import { listConnectors } from '../../store/connectors/connectors.ts';
import { connectorObject, presentConnector } from './connector-object.ts';
import { defineOperation } from '../contract/operation.ts';

export const connectorList = defineOperation('GET', 'connector.list', {
  summary: 'Lists the connectors the caller can use in tasks.',
  access: 'tasks',
  request: z.object({}),
  response: z.object({ data: z.array(connectorObject) }),
  async handle(_, { principal, read, now }) {
    const granted = grantedConnectorsOf(principal);
    const all = await read(listConnectors, principal.accountId);
    const data = all.filter(({ id }) => granted === null || granted.includes(id)).map((each) => presentConnector(each, now));
    // URLs can contain keys; an application sees only what the account shares with it.
    return { data: principal.via.kind === 'oauth' ? data.map((each) => ({ ...each, url: new URL(each.url).origin })) : data };
  },
});
