import type { agent as source } from '../en/agent.ts';

export const agent: typeof source = {
  title: '智能体',
  edit: '名称与简介',
  nickname: '昵称',
  about: '简介',
  aboutHint: '用一两句话说明它的用途。',
  noAbout: '一段持续进行的对话',
  views: '智能体的视图',
  conversation: '对话',
  subtasks: '子任务',
  nothingSaid: '还没有对话',
  nothingSaidBody: '在下方说出你的需要。智能体会记住这段对话，并为较大的工作创建子任务。',
  noSubtasks: '还没有子任务',
  noSubtasksBody: '智能体在对话之外开始的工作会列在这里。',
};
