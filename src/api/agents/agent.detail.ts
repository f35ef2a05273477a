import { z } from 'zod';
import { getAgent } from '../../store/agents/agents.ts';
import { agentIdField, agentObject, keyOfAgent, presentAgent } from './agent-object.ts';
import { defineOperation } from '../contract/operation.ts';

export const agentDetail = defineOperation('GET', 'agent.detail', {
  summary: "Returns an agent's identity and main task.",
  access: 'trusted',
  request: z.object({ agent_id: agentIdField }),
  response: z.object({ agent: agentObject }),
  async handle({ agent_id }, context) {
    return { agent: presentAgent(await context.read(getAgent, keyOfAgent(agent_id, context))) };
  },
});
