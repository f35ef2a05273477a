import type { composer as source } from '../en/composer.ts';

export const composer: typeof source = {
  attach: '添加文件',
  send: '发送',
  drop: '松开即可添加',
  files: '已添加的文件',
  uploading: (name) => `正在上传 ${name}`,
  cancelUpload: (name) => `取消上传 ${name}`,
  removeFile: (name) => `移除 ${name}`,
  dictate: '听写',
  endDictation: '停止听写',
  noMicrophone: '请在浏览器设置中允许此页面使用麦克风。',
  dictationFailed: '无法识别语音。请检查麦克风和网络连接。',
};
