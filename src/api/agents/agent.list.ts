import { listAgents } from '../../store/agents/agents.ts';
import { agentObject, presentAgent } from './agent-object.ts';
import { defineAccountList } from '../contract/account-list.ts';

export const agentList = defineAccountList('agent.list', {
  summary: "Lists the account's agents: its default agent.",
  access: 'trusted',
  item: agentObject,
  list: listAgents,
  present: presentAgent,
});
