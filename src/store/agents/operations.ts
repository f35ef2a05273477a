import { getAgent, listAgents, prepareAgents, updateAgent } from './agents.ts';

/** Every operation on agents. */
export const agentOperations = [getAgent, listAgents, prepareAgents, updateAgent];
