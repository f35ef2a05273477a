export const share = {
  title: 'Shared task',
  goneTitle: 'Nothing here',
  goneBody: 'There is nothing at this address, or it is not shared with you any more.',
  madeWith: (name: string) => `Made with ${name}`,
};
