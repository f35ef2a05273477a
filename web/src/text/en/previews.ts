export const previews = {
  title: 'Preview',
};
