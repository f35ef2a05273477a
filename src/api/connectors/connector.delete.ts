import { z } from 'zod';
import { deleteConnector } from '../../store/connectors/connectors.ts';
import { keyOfConnector } from './connector-object.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const connectorDelete = defineOperation('POST', 'connector.delete', {
  summary: 'Deletes a connector and its keys.',
  details: 'Tasks using it lose its tools on their next turn.',
  access: 'account',
  request: z.object({ connector_id: requiredText('Identifier of the connector.') }),
  response: z.object({ id: z.string(), deleted: z.literal(true) }),
  async handle({ connector_id }, context) {
    const key = keyOfConnector(connector_id, context);
    await context.write(deleteConnector, key);
    return { id: key.connectorId, deleted: true as const };
  },
});
