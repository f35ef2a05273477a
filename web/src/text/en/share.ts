import { plural } from '../plural.ts';

export const share = {
  title: 'Shared task',
  goneTitle: 'Nothing here',
  goneBody:
    'There is nothing at this address, or it is not shared with you any more. Ask whoever gave you the link for a new one.',
  toStart: (name: string) => `Go to ${name}`,
  madeWith: (name: string) => `Made with ${name}`,
  files: (count: number, text: string) => plural('en', count, { one: `${text} file`, other: `${text} files` }),
};
