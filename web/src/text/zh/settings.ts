import type { settings as source } from '../en/settings.ts';

export const settings: typeof source = {
  title: '设置',
};
