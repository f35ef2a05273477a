export const skills = {
  title: 'Skills',
};
