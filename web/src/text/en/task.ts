export const task = {
  title: 'Task',
};
