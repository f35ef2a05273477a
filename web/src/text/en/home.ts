export const home = {
  title: 'Tasks',
};
