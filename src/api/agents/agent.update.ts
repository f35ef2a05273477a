import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { updateAgent } from '../../store/agents/agents.ts';
import { agentIdField, agentObject, keyOfAgent, presentAgent } from './agent-object.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { isLongerThan } from '../contract/text-length.ts';

/** Limits in characters (docs/reference/choices.md#limits). */
const maxNicknameLength = 100;
const maxAboutLength = 2000;

function readNickname(nickname: string | undefined): string | null {
  if (nickname === undefined) return null;
  const clean = toOneLine(nickname);
  if (clean === '') throw invalidField('nickname', 'must not be empty');
  if (isLongerThan(clean, maxNicknameLength)) {
    throw invalidField('nickname', `must have at most ${maxNicknameLength} characters`);
  }
  return clean;
}

function readAbout(about: string | undefined, description: string | undefined): string | null {
  if (about !== undefined && description !== undefined && about !== description) {
    throw invalidField('description', 'is another name of about; send one of them');
  }
  const field = about === undefined ? 'description' : 'about';
  const text = about ?? description;
  if (text === undefined) return null;
  if (isLongerThan(text, maxAboutLength)) throw invalidField(field, `must have at most ${maxAboutLength} characters`);
  return text.toWellFormed().replaceAll('\0', '\ufffd').trim();
}

export const agentUpdate = defineOperation('POST', 'agent.update', {
  summary: "Updates an agent's nickname or description.",
  details: "Omitted fields keep their values. The change takes effect with the agent's next step.",
  access: 'trusted',
  request: z.object({
    agent_id: agentIdField,
    nickname: optional(z.string()).meta({ description: 'At most 100 characters.' }),
    about: optional(z.string()).meta({ description: 'At most 2,000 characters; an empty string removes it.' }),
    description: optional(z.string()).meta({ description: 'Alias of `about`.' }),
  }),
  response: z.object({ agent: agentObject }),
  async handle(input, context) {
    const agent = await context.write(updateAgent, {
      ...keyOfAgent(input.agent_id, context),
      now: context.now,
      nickname: readNickname(input.nickname),
      about: readAbout(input.about, input.description),
    });
    return { agent: presentAgent(agent) };
  },
});
