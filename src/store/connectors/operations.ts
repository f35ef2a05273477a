import { saveSignIn } from './connector-sign-ins.ts';
import { createConnector, deleteConnector, getConnector, listConnectors, noteCheck } from './connectors.ts';

/** The operations on connectors that the database thread knows. */
export const connectorOperations = [createConnector, saveSignIn, deleteConnector, getConnector, listConnectors, noteCheck];
