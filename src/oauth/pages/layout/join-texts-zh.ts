import type { JoinTexts } from './join-texts-en.ts';

/** Chinese texts of the page that joins a team. */
export const joinTexts: JoinTexts = {
  title: (team) => `加入 ${team}`,
  lead: '设置密码以创建账户。',
  email: '邮箱',
  password: '密码',
  again: '确认密码',
  submit: '创建账户',
  gone: '此邀请已无法创建账户：它已被使用、已撤回或超过七天，或者该邮箱已有账户。如果已有账户，请登录。',
};
