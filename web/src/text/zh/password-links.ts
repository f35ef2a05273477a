import type { passwordLinks as source } from '../en/password-links.ts';

export const passwordLinks: typeof source = {
  title: '密码',
  lead: '适用于忘记密码或从未设置密码的用户。对方通过你发送的链接设置新密码。',
  make: '创建密码链接',
  made: (email) => `${email} 的密码链接`,
  shownOnce: '链接 30 分钟内有效，只能使用一次。任何持有链接的人都能设置密码，请仅发送给账户的所有者。',
};
