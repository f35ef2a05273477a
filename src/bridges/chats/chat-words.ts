/** The texts of the bridge itself, in the recipient's language. Messages of the agent are not here. */
const english = {
  refused: 'This bot is for people with an account here. If you have one, link this chat to it: {how}',
  howToLink: 'create a code (errand bridge link) and send it here as /link CODE.',
  wrongCode: 'That code is incorrect or has expired. Create a new one and send it here.',
  tooManyCodes: 'Too many incorrect codes. Try again in 10 minutes.',
  linked: 'This chat is now linked to {account}. Send text, files or voice messages. {commands}',
  unlinked: 'This chat is no longer linked.',
  commands: '/stop stops the current work, /unlink unlinks this chat.',
  nothingRuns: 'Nothing is running.',
  stopped: 'Stopped.',
  failed: 'Failed: {problem}',
  notTaken: 'Couldn’t send your message: {problem}',
  fileTooLarge: '{name} is too large. The limit here is {limit} MB.',
  fileNotFetched: 'Couldn’t download {name}. Send it again.',
  nothingInIt: 'Only text, images, files and voice messages are supported here.',
  fileElsewhere: '{name} is too large for this chat: {address}',
  fileKept: '{name} is in your library in the web app.',
  allow: 'Allow',
  always: 'Always allow',
  decline: 'Deny',
  allowed: '✓ Allowed',
  alwaysAllowed: '✓ Always allowed',
  declined: '✗ Denied',
  disabled: 'Your account is disabled. The operator of this service can enable it again.',
  settled: '✓ Decided',
  answered: '✓ {answer}',
  late: 'This was already decided.',
};

export type ChatWord = keyof typeof english;

const chinese: Record<ChatWord, string> = {
  refused: '此机器人仅供有账户的用户使用。如果你有账户，请将此聊天与其关联：{how}',
  howToLink: '创建一个代码（errand bridge link），然后在此发送 /link 代码。',
  wrongCode: '代码不正确或已过期。请创建新代码并在此发送。',
  tooManyCodes: '错误代码过多，请 10 分钟后再试。',
  linked: '此聊天已关联 {account}。你可以发送文字、文件或语音消息。{commands}',
  unlinked: '此聊天已取消关联。',
  commands: '/stop 停止当前工作，/unlink 取消关联此聊天。',
  nothingRuns: '当前没有正在进行的工作。',
  stopped: '已停止。',
  failed: '失败：{problem}',
  notTaken: '消息未能发送：{problem}',
  fileTooLarge: '{name} 过大，此处最多 {limit} MB。',
  fileNotFetched: '无法下载 {name}，请重新发送。',
  nothingInIt: '此处仅支持文字、图片、文件和语音消息。',
  fileElsewhere: '{name} 过大，无法在此聊天中发送：{address}',
  fileKept: '{name} 已存入网页应用的资料库。',
  allow: '允许',
  always: '始终允许',
  decline: '拒绝',
  allowed: '✓ 已允许',
  alwaysAllowed: '✓ 已始终允许',
  declined: '✗ 已拒绝',
  disabled: '你的账户已被停用。本服务的运营者可以重新启用它。',
  settled: '✓ 已决定',
  answered: '✓ {answer}',
  late: '已作过决定。',
};

/** One sentence with its placeholders filled in. */
export function chatText(language: string | null, word: ChatWord, gaps: Readonly<Record<string, string>> = {}): string {
  const words = language?.toLowerCase().startsWith('zh') ? chinese : english;
  return words[word].replaceAll(/\{(\w+)\}/g, (_, name: string) => gaps[name] ?? '');
}
