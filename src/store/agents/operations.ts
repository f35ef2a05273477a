import { getAgent, listAgents, prepareAgents, updateAgent } from './agents.ts';

/** The operations on agents that the database thread knows. */
export const agentOperations = [getAgent, listAgents, prepareAgents, updateAgent];
