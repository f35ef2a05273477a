export const share = {
  title: 'Shared task',
};
