import type { TwoStepTexts } from './two-step-texts-en.ts';

/** Chinese texts of the pages about two-step sign-in. */
export const twoStepTexts: TwoStepTexts = {
  title: '两步登录',
  lead: '输入身份验证器应用显示的验证码。',
  code: '验证码',
  recoveryLead: '输入一个恢复码。每个恢复码只能使用一次。',
  recoveryCode: '恢复码',
  useRecovery: '使用恢复码',
  useApp: '使用身份验证器应用',
  submit: '继续',
  lost: '恢复码用完了？此服务的管理员可以为你关闭两步登录。',
  restart: '重新开始',
  wrong: '验证码错误或已使用过。请等待下一个验证码再输入。',
  tooMany: '尝试次数过多。请稍候，或使用恢复码。',
  expired: '已超过 10 分钟。请重新登录。',
  noSecret: '只有当此服务的所有进程使用相同的 ERRAND_SECRET 时，才能检查验证码。在此期间可以使用恢复码。',
};
