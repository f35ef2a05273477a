export const agent = {
  title: 'Agent',
};
