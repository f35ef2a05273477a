export const agent = {
  title: 'Agent',
  edit: 'Name and about',
  nickname: 'Nickname',
  about: 'About',
  aboutHint: 'What it is for, as it tells others.',
  noAbout: 'One conversation that goes on for ever',
  views: 'Views of the agent',
  conversation: 'Conversation',
  subtasks: 'Subtasks',
  noSubtasks: 'No subtasks yet',
  noSubtasksBody: 'Work that the agent begins beside the conversation is listed here.',
};
