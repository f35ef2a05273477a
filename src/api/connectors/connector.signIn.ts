import { z } from 'zod';
import { getConnector } from '../../store/connectors/connectors.ts';
import { keyOfConnector } from './connector-object.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

/** The redirect URI for servers. */
const signInReturnPath = '/settings/connectors/callback';

export const connectorSignIn = defineOperation('POST', 'connector.signIn', {
  summary: "Starts a sign-in at a connector's server and returns the URL to open.",
  access: 'browser',
  hasSecret: true,
  request: z.object({ connector_id: requiredText('Identifier of the connector.') }),
  response: z.object({
    authorization_url: z.string().meta({ description: 'The URL to open; it returns to the connectors page.' }),
    host: z.string().meta({ description: 'The host of that URL, to show before opening it.' }),
    server_host: z.string().meta({ description: 'The server that receives the granted access.' }),
  }),
  async handle({ connector_id: connectorId }, context) {
    const key = keyOfConnector(connectorId, context);
    const { url } = await context.read(getConnector, key);
    const address = await context.connectors.beginSignIn(key, context.urls.page(signInReturnPath), context.outwardSignal);
    return { authorization_url: address, host: new URL(address).host, server_host: new URL(url).host };
  },
});
