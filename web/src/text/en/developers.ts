export const developers = {
  title: 'Developers',
};
