import type { agent as source } from '../en/agent.ts';

export const agent: typeof source = {
  title: '智能体',
  edit: '编辑资料',
  clear: '清空对话',
  clearTitle: '要清空此对话吗？',
  clearBody: '此操作会永久删除其中的消息、文件、工作区和子任务。智能体的资料和设置会保留。',
  clearConfirm: '清空',
  cleared: '对话已清空。',
  nickname: '昵称',
  about: '简介',
  aboutHint: '用一两句话说明智能体的用途。',
  noAbout: '随时待命的助手',
  views: '智能体视图',
  conversation: '对话',
  subtasks: '子任务',
  nothingSaid: '开始对话',
  nothingSaidBody: '告诉智能体你的需求。它会记住这段对话，并为较大的工作创建子任务。',
  noSubtasks: '还没有子任务',
  noSubtasksBody: '智能体在对话之外开展的工作会显示在这里。',
};
