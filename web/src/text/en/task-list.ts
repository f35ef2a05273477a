export const taskList = {
  label: 'Tasks',
  titleLabel: 'Title',
  rename: 'Rename',
  share: 'Share',
  stop: 'Stop',
  whoMaySee: 'Who may see this task',
  visibility: { private: 'Only you', team: 'Your team', public: 'Everybody with the link' },
  visibilityHint: {
    private: 'Nobody else can open it.',
    team: 'Members of your team can open the link after signing in.',
    public: 'No sign-in is asked for. They see the conversation and its files, not what tools were given.',
  },
  shareLink: 'Link to this task',
  deleted: 'The task is deleted.',
  deleteTitle: 'Delete this task?',
  deleteBody: (title: string) =>
    `“${title}” is deleted for good, with its conversation and its files. If it still runs, it is stopped.`,
  actionsOf: (title: string) => `Actions for ${title}`,
  types: { standard: 'Task', project: 'Project', agent_subtask: 'Subtask of the agent' },
  byKey: (name: string) => `by key ${name}`,
  noneFound: 'No task matches.',
  older: 'Show older tasks',
};
