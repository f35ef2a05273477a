import { z } from 'zod';
import { listAgents } from '../../store/agents/agents.ts';
import { agentObject, presentAgent } from './agent-object.ts';
import { defineOperation } from '../contract/operation.ts';

export const agentList = defineOperation({
  name: 'agent.list',
  method: 'GET',
  summary: 'Lists the agents of the account: its default agent.',
  access: 'trusted',
  cost: 'read',
  request: z.object({}),
  response: z.object({ data: z.array(agentObject) }),
  async handle(_, { principal, read }) {
    return { data: (await read(listAgents, principal.accountId)).map(presentAgent) };
  },
});
