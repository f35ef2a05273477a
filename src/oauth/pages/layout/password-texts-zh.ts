import type { PasswordTexts } from './password-texts-en.ts';

/** Chinese texts of the pages about passwords. */
export const passwordTexts: PasswordTexts = {
  forgot: '忘记密码？',
  title: '重设密码',
  lead: '请输入账户的邮箱。我们会发送一个用于设置新密码的链接。',
  email: '邮箱',
  send: '发送链接',
  tooMany: '请求次数过多。请稍候再试。',
  sentTitle: '请查收邮件',
  sent: '如果此邮箱有设置了密码的账户，链接很快就会送达。链接 30 分钟内有效，只能使用一次。',
  notHere: '本服务不发送邮件。请向此实例的所有者索取用于设置新密码的链接。',
  toSignIn: '返回登录',
  setTitle: '设置新密码',
  setLead: (email) => `账户：${email}。你将在所有设备上退出登录。`,
  password: '新密码',
  hint: '至少 8 个字符',
  again: '确认新密码',
  save: '设置密码',
  differ: '两次输入的密码不一致。',
  wrong: () => '密码须为 8 至 200 个字符。',
  brokenTitle: '此链接无效',
  broken: '链接已被使用，或已超过 30 分钟。请索取新的链接。',
  doneTitle: '密码已设置',
  done: '现在可以使用新密码登录。',
  signIn: '登录',
  mail: {
    subject: '为 Errand 设置新密码',
    text: (url) =>
      [
        '有人为你的 Errand 账户请求了新密码。要设置新密码，请在 30 分钟内打开此链接：',
        url,
        '如果不是你本人，请忽略此邮件。你的密码保持不变。',
      ].join('\n\n'),
  },
};
