import type { modelKeys as source } from '../../en/settings/model-keys.ts';

export const modelKeys: typeof source = {
  title: '模型',
  lead: '你的任务可以用你自己的密钥调用语言模型。这些调用不消耗积分，由提供商向你收费；服务的模型绝不会代替你的模型。',
  off: '此服务不接受自有密钥，你的任务使用服务的模型。',
  ofService: '使用服务的模型',
  own: '你的密钥',
  keyEnd: (tail) => `密钥以 ${tail} 结尾`,
  use: '使用自己的密钥',
  setOne: (profile) => `使用自己的密钥：${profile}`,
  remove: '移除',
  removeOne: (profile) => `移除“${profile}”的密钥`,
  removeBody: '从下一步起，你的任务将使用服务的模型，这可能消耗积分。',
  removed: '密钥已移除。',
};
