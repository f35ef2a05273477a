export const agent = {
  title: 'Agent',
  edit: 'Name and about',
  nickname: 'Nickname',
  about: 'About',
  aboutHint: 'What it is for, in a sentence or two.',
  noAbout: 'One conversation that never ends',
  views: 'Views of the agent',
  conversation: 'Conversation',
  subtasks: 'Subtasks',
  noSubtasks: 'No subtasks yet',
  noSubtasksBody: 'Work that the agent begins beside the conversation is listed here.',
};
