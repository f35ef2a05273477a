import { z } from 'zod';
import { noteCheck } from '../../store/connectors/connectors.ts';
import { connectorObject, keyOfConnector, presentConnector } from './connector-object.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const connectorCheck = defineOperation('POST', 'connector.check', {
  summary: 'Checks whether a connector is reachable and refreshes its tools.',
  details: 'A running task keeps the tools it started with; a tool that changed is removed from it.',
  access: 'account',
  request: z.object({ connector_id: requiredText('Identifier of the connector.') }),
  response: z.object({ connector: connectorObject }),
  async handle({ connector_id }, context) {
    const key = keyOfConnector(connector_id, context);
    const found = await context.connectors.check(key, context.outwardSignal);
    const outcome = 'problem' in found ? { tools: null, problem: found.problem } : { tools: found.tools, problem: null };
    const { signIn = null } = found;
    const connector = await context.write(noteCheck, { ...key, now: context.now, ...outcome, signIn });
    return { connector: presentConnector(connector, context.now) };
  },
});
