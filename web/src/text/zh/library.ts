import type { library as source } from '../en/library.ts';

export const library: typeof source = {
  title: '资料库',
};
