export const team = {
  title: 'Team',
};
