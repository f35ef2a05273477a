import { saveSignIn } from './connector-sign-ins.ts';
import { createConnector, deleteConnector, getConnector, listConnectors, noteCheck } from './connectors.ts';

/** Every operation on connectors. */
export const connectorOperations = [createConnector, saveSignIn, deleteConnector, getConnector, listConnectors, noteCheck];
