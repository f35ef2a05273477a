import type { composer as source } from '../en/composer.ts';

export const composer: typeof source = {
  attach: '添加文件',
  send: '发送',
  drop: '松开即可添加',
  files: '已添加的文件',
  uploading: (name) => `正在上传 ${name}`,
  cancelUpload: (name) => `取消上传 ${name}`,
  removeFile: (name) => `移除 ${name}`,
};
