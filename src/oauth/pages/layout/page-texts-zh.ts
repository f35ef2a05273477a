import type { FaultCode } from '@errand/base/fault.ts';
import type { SignInRefusal } from '../../../rules/accounts/sign-in-policy.ts';
import { html } from './html.ts';
import type { Texts } from './page-texts-en.ts';

const tooMany = '尝试次数过多，请稍后再试。';

const faults: Readonly<Record<FaultCode, string>> = {
  invalid_argument: '请求有误，无法处理。',
  unauthenticated: '你尚未登录。',
  permission_denied: '不允许这样做。',
  not_found: '这里什么也没有。',
  conflict: '与其他操作冲突，请重试。',
  failed_precondition: '在当前状态下无法这样做。',
  payload_too_large: '发送的内容过大。',
  resource_exhausted: '请求过于频繁，请稍后再试。',
  internal: '服务内部出错了。',
  unavailable: '服务暂时不可用，请稍后再试。',
};

function refuse(refusal: SignInRefusal, email: string | null, name: string): string {
  const problems: Readonly<Record<SignInRefusal, string>> = {
    unverified:
      email === null
        ? `${name} 没有提供你的邮箱地址。请在那里添加，或联系本服务的运营者。`
        : `${name} 没有确认 ${email} 已通过验证。请在那里验证该地址，或联系本服务的运营者。`,
    domain: `${email === null ? '你没有' : `${email} 不是`}可在此登录的邮箱地址。请在 ${name} 选择其他账户，或联系本服务的运营者。`,
    none: `${email === null ? '你在这里还没有账户' : `${email} 在这里还没有账户`}。请联系本服务的运营者创建。`,
    taken: `${email === null ? '你的账户' : `${email} 的账户`}已关联 ${name} 的其他用户。请联系本服务的运营者取消关联。`,
  };
  return problems[refusal];
}

export const zh: Texts = {
  tag: 'zh-CN',
  page: {
    skip: '跳到正文',
    signOut: '退出登录',
    reference: '参考编号：',
    toFirst: '前往首页',
  },
  fault: {
    title: '操作未成功',
    titles: { not_found: '这里什么也没有', internal: '出错了', unavailable: '请稍后再试' },
    explain: (code) => faults[code],
    nothingHere: '此地址没有任何内容。',
    formExpired: '表单已过期，或不是由此页面生成的。请返回并重新加载页面，然后重试。',
    formSilent: '表单没有说明要做什么。',
  },
  signIn: {
    title: '登录',
    email: '邮箱地址',
    password: '密码',
    submit: '登录',
    continueWith: (name) => `使用 ${name} 登录`,
    orPassword: '或使用密码',
    wrong: '邮箱地址或密码不正确。',
    tooMany,
    noPasswords: '这里不能使用密码登录。',
    passwordTooLong: '密码最多 1000 个字符。',
  },
  setUp: {
    heading: '欢迎使用 Errand',
    title: '初始设置',
    lead: '这是一个新的服务。请设置所有者登录时使用的密码。',
    email: '邮箱地址',
    password: '密码',
    passwordHint: '至少 8 个字符',
    again: '再次输入密码',
    submit: '完成设置',
    differ: '两次输入的密码不一致。',
    wrongEmail: () => '请输入有效的邮箱地址。',
    wrongPassword: () => '密码须为 8 到 200 个字符。',
    nothing: '这里没有需要设置的内容。',
  },
  consent: {
    title: (name) => `连接 ${name}`,
    heading: (name) => `连接 ${name}？`,
    signedInAs: (email) => `你当前以 ${email} 登录。`,
    asks: (app, site) => html`${app}${site ? html`（${site}）` : ' '}请求获得以下权限：`,
    everything: html`<strong>执行你在这里能做的一切</strong>：读取和更改你的所有任务、项目、文件、智能体和网站。这是受信任的应用，不受单项权限限制。`,
    scopes: {
      create_task: '以你的名义开始任务，并读取、引导和删除它自己开始的任务。',
      manage_all_tasks: '读取、引导和删除你的所有任务及其产出，包括不是它开始的任务。',
      create_project: '创建项目并读取你的项目列表。',
      use_connectors: '让它的任务使用你在此选择的连接器。',
      use_my_browsers: '查看你的哪些浏览器在线，并让它的任务使用。',
    },
    sentTo: (target) => html`之后将前往 ${target}。你可以随时在“已连接的应用”中断开它。`,
    program: (scheme) => html`你的设备上用于打开 ${scheme} 地址的程序`,
    allow: '允许',
    deny: '不允许',
    notForYou: (name) => `${name} 不适用于此账户`,
    notForYouTitle: '不适用于此账户',
    notForYouBody: (email) => `这是其他团队的应用。你当前以 ${email} 登录。`,
    back: '返回应用',
    brokenLink: '此链接无效',
    mistakes: {
      no_client_id: '地址中缺少 client_id。',
      unknown_client: '这里没有注册使用此 client_id 的应用。',
      no_redirect_uri: '地址中缺少 redirect_uri。',
      foreign_redirect_uri: '此 redirect_uri 不是该应用注册的地址。',
    },
  },
  connectors: {
    none: '你还没有连接器，因此它没有可以使用的连接器。',
    legend: '它的任务可以使用的连接器',
    title: (name) => `${name} 的连接器`,
    connected: (app) => html`${app} 已连接到你的账户。`,
    save: '保存',
    noQuestion: '它没有请求使用连接器。',
    noQuestionOf: (name) => `${name} 没有请求使用连接器。`,
    saved: (name) => `${name} 可以使用你选择的连接器。`,
    notConnected: '你的账户没有连接使用此 client_id 的应用。',
    notSignedIn: '服务器没有让你登录，一切保持不变。',
    noAnswer: '这不是服务器的响应。',
  },
  device: {
    title: '连接设备',
    code: '代码',
    codeHint: '显示在设备上',
    goOn: '继续',
    asks: (app, code) => html`显示代码 ${code} 的设备上的 ${app} 请求获得以下权限：`,
    beware: '请仅在这是你本人在眼前的设备上发起时继续。',
    unknown: '没有设备在等待此代码。代码可能已过期，请在设备上重新开始。',
    connected: (name) => `${name} 已连接，请回到你的设备。`,
    refused: (name) => `未允许 ${name}。`,
  },
  sso: {
    tooMany,
    noSecret: '在本服务的所有进程使用相同的 ERRAND_SECRET 之前，无法以这种方式登录。',
    foreign: '此次登录是在别处发起的、超过了十分钟，或已使用过。请重新开始。',
    unreachable: (name) => `${name} 目前没有响应，请稍后再试。`,
    broken: (name) => `无法使用 ${name} 登录。本服务的运营者可以在日志和 errand doctor 中了解原因。`,
    clock: (name) => `本服务与 ${name} 的时钟不一致，需要由本服务的运营者校准。`,
    denied: (name) => `${name} 没有让你登录，一切保持不变。`,
    refuse,
    notLinked: () => '此账户已关联其他身份，或此身份已关联其他账户。请先在那里取消关联。',
    on: (name) => `前往 ${name}`,
    title: (name) => `使用 ${name} 登录`,
    linked: (name, email) => html`${name} 会为你登录此账户${email && html`，身份为 ${email}`}。`,
    toSettings: '返回设置',
    linkLead: (name, email) => html`今后 ${name} 会为你登录 ${email} 的账户，无论你在那里的邮箱地址是什么。`,
    link: (name) => `关联 ${name}`,
  },
};
