import { z } from 'zod';
import { defaultAgentId, defaultAgentShortcut } from '../../rules/agents/default-agent.ts';
import { type Agent, type AgentKey, agentNotFound } from '../../store/agents/agents.ts';
import { requiredText } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';

/** An agent (docs/reference/wire-format.md#resources). `description` repeats `about`. */
export const agentObject = z
  .object({
    id: z.string().meta({ description: 'A UUID.' }),
    task_id: z.string().meta({ description: 'Its main task: a persistent conversation.' }),
    nickname: z.string(),
    about: z.string(),
    description: z.string().meta({ description: 'An alias that has the same value as `about`.' }),
  })
  .meta({ id: 'Agent' });

export function presentAgent({ id, taskId, nickname, about }: Agent): z.input<typeof agentObject> {
  return { id, task_id: taskId, nickname, about, description: about };
}

export const agentIdField = requiredText(`Identifier of the agent, or \`${defaultAgentShortcut}\`.`);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The key of the caller's agent; 404 for an invalid id. */
export function keyOfAgent(agentId: string, { principal }: Context): AgentKey {
  const { accountId } = principal;
  if (agentId === defaultAgentShortcut) return { accountId, agentId: defaultAgentId(accountId) };
  const lower = agentId.toLowerCase();
  if (!uuid.test(lower)) throw agentNotFound();
  return { accountId, agentId: lower };
}
