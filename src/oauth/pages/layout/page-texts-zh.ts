import { joinTexts } from './join-texts-zh.ts';
import { passwordTexts } from './password-texts-zh.ts';
import { twoStepTexts } from './two-step-texts-zh.ts';
import type { FaultCode } from '@errand/base/fault.ts';
import type { SignInRefusal } from '../../../rules/accounts/sign-in-policy.ts';
import { html } from './html.ts';
import type { Texts } from './page-texts-en.ts';

const tooMany = '尝试次数过多，请稍后再试。';

const faults: Readonly<Record<FaultCode, string>> = {
  invalid_argument: '请求有误，无法处理。',
  unauthenticated: '你尚未登录。',
  permission_denied: '你没有权限执行此操作。',
  not_found: '页面不存在。',
  conflict: '与其他操作冲突，请重试。',
  failed_precondition: '当前状态下无法执行此操作。',
  payload_too_large: '发送的内容过大。',
  resource_exhausted: '请求过于频繁，请稍后再试。',
  internal: '服务内部出错了。',
  unavailable: '服务暂时不可用，请稍后再试。',
};

function refuse(refusal: SignInRefusal, email: string | null, name: string): string {
  const problems: Readonly<Record<SignInRefusal, string>> = {
    unverified:
      email === null
        ? `${name} 没有提供你的邮箱。请在那里添加，或联系服务器管理员。`
        : `${name} 尚未验证 ${email}。请在那里验证，或联系服务器管理员。`,
    domain: `${email === null ? '你的邮箱' : `${email} `}不能在此登录。请在 ${name} 选择其他账户，或联系服务器管理员。`,
    none: `${email === null ? '你在这里还没有账户' : `${email} 在这里还没有账户`}。请联系服务器管理员创建。`,
    taken: `${email === null ? '你的账户' : `${email} 的账户`}已关联 ${name} 的其他身份。请联系服务器管理员取消关联。`,
  };
  return problems[refusal];
}

export const zh: Texts = {
  tag: 'zh-CN',
  page: {
    skip: '跳到主要内容',
    signOut: '退出登录',
    reference: '参考编号：',
    toFirst: '前往首页',
  },
  fault: {
    title: '出错了',
    titles: { not_found: '页面不存在', internal: '出错了', unavailable: '请稍后再试' },
    explain: (code) => faults[code],
    nothingHere: '此页面不存在。',
    formExpired: '表单已过期，或并非来自此页面。请返回并重新加载页面，然后重试。',
    formSilent: '表单缺少操作。',
    preview: {
      nothing: '此端口没有服务器响应。服务器可能已结束，或智能体当前没有在处理此任务。',
      busy: '服务器的未完成请求过多，请稍后重新加载页面。',
      broken: '无法读取服务器的响应：不是 HTTP、耗时过长或已中断。',
      elsewhere: '服务器重定向到了其他位置。预览只显示该服务器本身。',
    },
  },
  signIn: {
    title: '登录',
    email: '邮箱',
    password: '密码',
    submit: '登录',
    continueWith: (name) => `使用 ${name} 登录`,
    orPassword: '或使用密码',
    wrong: '邮箱或密码不正确。',
    disabled: '此账户已被停用。本服务的运营者可以重新启用它。',
    tooMany,
    noPasswords: '密码登录已关闭。',
    passwordTooLong: '密码最多 1000 个字符。',
  },
  password: passwordTexts,
  twoStep: twoStepTexts,
  passkey: {
    or: '或',
    submit: '使用通行密钥登录',
    notUsed: '未使用通行密钥。请重试，或输入你的密码。',
    wrong: '此通行密钥在这里已失效，或页面打开时间过长。请重试，或输入你的密码。',
  },
  join: joinTexts,
  setUp: {
    heading: '欢迎使用 Errand',
    title: '初始设置',
    lead: '创建所有者账户。',
    email: '邮箱',
    password: '密码',
    passwordHint: '至少 8 个字符',
    again: '确认密码',
    submit: '创建账户',
    differ: '两次输入的密码不一致。',
    wrongEmail: () => '请输入有效的邮箱地址。',
    wrongPassword: () => '密码须为 8 到 200 个字符。',
    nothing: '初始设置已完成，或无法在此进行。',
  },
  consent: {
    title: (name) => `连接 ${name}`,
    heading: (name) => `连接 ${name}？`,
    signedInAs: (email) => `当前登录账户：${email}。`,
    asks: (app, site) => html`${app}${site ? html`（${site}）` : ' '}请求以下权限：`,
    everything: html`<strong>访问你账户中的所有内容</strong>：读取和更改你的所有任务、项目、文件、智能体和网站。这是受信任的应用，不受单项权限限制。`,
    scopes: {
      create_task: '以你的名义创建任务，并读取、删除其创建的任务，以及向这些任务发送消息。',
      manage_all_tasks: '读取、删除你的所有任务及其结果，并向任务发送消息，包括不是由它创建的任务。',
      create_project: '创建项目并列出你的项目。',
      use_connectors: '在其任务中使用你在此选择的连接器。',
      use_my_browsers: '查看你的哪些浏览器在线，并在其任务中使用。',
    },
    sentTo: (target) => html`之后将返回 ${target}。你可以随时在“已连接的应用”中撤销访问权限。`,
    program: (scheme) => html`你的设备上用于打开 ${scheme} 链接的程序`,
    allow: '允许',
    deny: '拒绝',
    notForYou: (name) => `${name} 不适用于此账户`,
    notForYouTitle: '不适用于此账户',
    notForYouBody: (email) => `此应用属于其他团队。当前登录账户：${email}。`,
    back: '返回应用',
    brokenLink: '此链接无效',
    mistakes: {
      no_client_id: 'URL 中缺少 client_id。',
      unknown_client: '没有注册使用此 client_id 的应用。',
      no_redirect_uri: 'URL 中缺少 redirect_uri。',
      foreign_redirect_uri: '该应用未注册此 redirect_uri。',
    },
  },
  connectors: {
    none: '你还没有连接器。',
    legend: '其任务可以使用的连接器',
    title: (name) => `${name} 的连接器`,
    connected: (app) => html`${app} 已连接到你的账户。`,
    save: '保存',
    noQuestion: '此应用不使用连接器。',
    noQuestionOf: (name) => `${name} 不使用连接器。`,
    saved: (name) => `${name} 现在可以使用你选择的连接器。`,
    notConnected: '你的账户未连接使用此 client_id 的应用。',
    notSignedIn: '登录已取消或失败，未作任何更改。',
    noAnswer: '这不是有效的服务器响应。',
  },
  device: {
    title: '连接设备',
    code: '代码',
    codeHint: '显示在设备上',
    continue: '继续',
    asks: (app, code) => html`显示代码 ${code} 的设备上的 ${app} 请求以下权限：`,
    beware: '请仅在这是你本人在眼前的设备上发起时继续。',
    unknown: '没有设备在等待此代码。代码可能已过期，请在设备上重新开始。',
    connected: (name) => `${name} 已连接，请返回你的设备。`,
    refused: (name) => `你已拒绝 ${name} 的访问请求。`,
  },
  sso: {
    tooMany,
    noSecret: '本服务的所有进程使用相同的 ERRAND_SECRET 之前，此登录方式不可用。',
    foreign: '此次登录在别处发起、超过了 10 分钟，或已使用过。请重新开始。',
    unreachable: (name) => `${name} 没有响应，请稍后再试。`,
    broken: (name) => `无法使用 ${name} 登录。服务器管理员可以查看日志并运行 errand doctor。`,
    clock: (name) => `本服务与 ${name} 的时钟不同步，需要服务器管理员校准。`,
    denied: (name) => `${name} 未完成登录，未作任何更改。`,
    refuse,
    notLinked: () => '此账户已关联其他身份，或此身份已关联其他账户。请先在那里取消关联。',
    on: (name) => `继续前往 ${name}`,
    title: (name) => `使用 ${name} 登录`,
    linked: (name, email) => html`你现在可以使用 ${name} 登录此账户${email && html`，身份为 ${email}`}。`,
    toSettings: '返回设置',
    linkLead: (name, email) => html`今后将使用 ${name} 登录 ${email} 的账户，即使你在那里使用其他邮箱。`,
    link: (name) => `关联 ${name}`,
  },
};
