import type { taskList as source } from '../en/task-list.ts';

export const taskList: typeof source = {
  label: '任务',
  titleLabel: '标题',
  rename: '重命名',
  share: '共享',
  stop: '停止',
  whoMaySee: '谁可以查看此任务',
  visibility: { private: '仅自己', team: '团队', public: '知道链接的任何人' },
  visibilityHint: {
    private: '其他人无法打开。',
    team: '团队成员登录后可以打开链接。',
    public: '无需登录。可以看到对话和文件，看不到工具的输入。',
  },
  shareLink: '任务链接',
  deleted: '任务已删除。',
  deleteTitle: '删除此任务？',
  deleteBody: (title) => `“${title}”及其对话和文件将被永久删除。若仍在运行，会先停止。`,
  actionsOf: (title) => `${title} 的操作`,
  types: { standard: '任务', project: '项目', agent_subtask: '智能体的子任务' },
  byKey: (name) => `来自密钥 ${name}`,
  noneFound: '没有符合条件的任务。',
  older: '显示更早的任务',
};
