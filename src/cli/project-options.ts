import type { OptionTable } from './command-shape.ts';

/** What a project may be given beside its name. */
export const projectOptions = {
  instruction: { type: 'string', value: 'TEXT', about: 'What every task of the project is told.' },
  connector: {
    type: 'string',
    multiple: true,
    value: 'ID',
    about: 'A connector that its tasks use where they name none; may be given several times.',
  },
  skill: {
    type: 'string',
    multiple: true,
    value: 'ID',
    about: 'A skill that its tasks use where they name none (default: all); may be given several times.',
  },
  actions: {
    type: 'string',
    choices: ['allow', 'refuse'],
    about: 'What tasks that work alone do where a person would be asked (default: allow).',
  },
} as const satisfies OptionTable;
