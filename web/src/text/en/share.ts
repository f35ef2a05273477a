import { plural } from '../plural.ts';

export const share = {
  title: 'Shared task',
  goneTitle: 'Page not found',
  goneBody: 'The link is wrong, or sharing was turned off. Ask the person who sent it for a new one.',
  toStart: (name: string) => `Go to ${name}`,
  madeWith: (name: string) => `Made with ${name}`,
  files: (count: number, text: string) => plural('en', count, { one: `${text} file`, other: `${text} files` }),
};
