import { cleanLine, cleanText } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../exit-code.ts';
import { formatTable } from '../output/print.ts';
import { defineRequest } from './request-command.ts';

const agent_id = 'agent-default';

const show = defineRequest('agent show', 'agent.detail', {
  summary: 'Show the default agent of an account and its main task.',
  examples: [['agent show', 'its nickname, its description and the ID of its main task']],
  input: () => ({ agent_id }),
  report({ agent: { id, nickname, task_id, about } }) {
    const table = formatTable(Object.entries({ id, nickname: cleanLine(nickname), 'main task': task_id }));
    return { text: about === '' ? table : `${table}\n\n${cleanText(about)}` };
  },
});

const update = defineRequest('agent update', 'agent.update', {
  summary: 'Change the nickname or description of the default agent.',
  options: {
    nickname: { type: 'string', value: 'NAME', about: 'Nickname of the agent.' },
    about: { type: 'string', value: 'TEXT', about: 'What the agent is for.' },
  },
  details: 'The agent reads the change before its next step.',
  examples: [['agent update --nickname Ada --about "Looks after the library."', 'effective from its next step']],
  input({ options: { nickname, about } }) {
    if (nickname === undefined && about === undefined) throw new UsageFault('--nickname or --about is missing');
    return { agent_id, nickname, about };
  },
  report: ({ agent }) => ({ text: `updated ${cleanLine(agent.nickname)}` }),
});

/** `errand agent …` */
export const agentCommands = [show, update];
