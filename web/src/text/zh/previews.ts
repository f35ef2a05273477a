import type { previews as source } from '../en/previews.ts';

export const previews: typeof source = {
  title: '预览',
};
