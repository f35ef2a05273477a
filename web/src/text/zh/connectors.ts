import type { connectors as source } from '../en/connectors.ts';

export const connectors: typeof source = {
  title: '连接器',
};
