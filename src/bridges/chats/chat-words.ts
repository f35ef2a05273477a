/** What the bridge itself says, in the language of whom it says it to. `agent` words come from the agent and are not here. */
const english = {
  refused: 'This bot works for people who have an account here. If you do, link this chat to it: {how}',
  howToLink: 'make a code (errand bridge link) and send it here as /link CODE.',
  wrongCode: 'That code is not right, or its time is over. Make a new one and send it here.',
  tooManyCodes: 'Too many wrong codes. Try again in ten minutes.',
  linked:
    'This chat now speaks for {account}. Write as you would to a colleague; files and voice messages are welcome. {commands}',
  unlinked: 'This chat speaks for nobody any more.',
  commands: '/stop stops what is going on, /unlink ends this link.',
  nothingRuns: 'Nothing is going on.',
  stopped: 'Stopped.',
  failed: 'It ended with an error: {problem}',
  notTaken: 'That could not be taken: {problem}',
  fileTooLarge: '{name} is too large; at most {limit} MB can be sent here.',
  fileNotFetched: '{name} could not be fetched; send it again.',
  nothingInIt: 'Only text, pictures, files and voice messages are understood here.',
  fileElsewhere: '{name} is too large for this chat: {address}',
  fileKept: '{name} is in the library of the web application.',
  allow: 'Allow',
  always: 'Always allow',
  decline: 'Decline',
  allowed: '✓ Allowed',
  alwaysAllowed: '✓ Always allowed',
  declined: '✗ Declined',
  settled: '✓ Settled',
  answered: '✓ {answer}',
  late: 'That is settled already.',
};

export type ChatWord = keyof typeof english;

const chinese: Record<ChatWord, string> = {
  refused: '此机器人仅为有账户的用户服务。如果您有账户，请将此聊天与其关联：{how}',
  howToLink: '生成一个代码（errand bridge link），然后在此发送 /link 代码。',
  wrongCode: '代码不正确或已过期。请生成新代码并在此发送。',
  tooManyCodes: '错误代码过多，请十分钟后再试。',
  linked: '此聊天现在代表 {account}。像给同事写信一样直接写即可，也可以发送文件和语音。{commands}',
  unlinked: '此聊天不再代表任何账户。',
  commands: '/stop 停止正在进行的工作，/unlink 解除关联。',
  nothingRuns: '当前没有进行中的工作。',
  stopped: '已停止。',
  failed: '因错误结束：{problem}',
  notTaken: '未能接收：{problem}',
  fileTooLarge: '{name} 太大；此处最多可发送 {limit} MB。',
  fileNotFetched: '无法获取 {name}，请重新发送。',
  nothingInIt: '此处只能识别文字、图片、文件和语音消息。',
  fileElsewhere: '{name} 太大，无法在此聊天中发送：{address}',
  fileKept: '{name} 在网页应用的资料库中。',
  allow: '允许',
  always: '始终允许',
  decline: '拒绝',
  allowed: '✓ 已允许',
  alwaysAllowed: '✓ 已始终允许',
  declined: '✗ 已拒绝',
  settled: '✓ 已处理',
  answered: '✓ {answer}',
  late: '已经处理过了。',
};

/** One sentence, with what its gaps are filled with. */
export function chatText(language: string | null, word: ChatWord, gaps: Readonly<Record<string, string>> = {}): string {
  const words = language?.toLowerCase().startsWith('zh') ? chinese : english;
  return words[word].replaceAll(/\{(\w+)\}/g, (_, name: string) => gaps[name] ?? '');
}
