import { plural } from '../plural.ts';

export const projects = {
  title: 'Projects',
  lead: 'Tasks of a project share an instruction, connectors and skills.',
  new: 'New project',
  create: 'Create',
  saved: 'Saved. It holds for tasks that begin from now on.',
  changesLead: 'Changes hold for tasks that begin from now on.',
  name: 'Name',
  instruction: 'Instruction',
  instructionHint: 'Every task of the project is told this first.',
  noInstruction: 'No instruction',
  connectors: 'Connectors',
  connectorsHint: 'For tasks that name none.',
  skills: 'Skills',
  skillsHint: 'For tasks that name none. None chosen: all of them.',
  actionsLabel: 'Actions that need confirmation',
  actionsHint: 'What tasks do about them that cannot ask anybody.',
  actions: { allow: 'Go ahead', refuse: 'Leave them out' },
  tasks: 'Its tasks',
  copyId: 'Copy the ID',
  counts: (connectors: number, skills: number) =>
    `${plural('en', connectors, { one: '1 connector', other: `${connectors} connectors` })} · ${
      skills === 0 ? 'all skills' : plural('en', skills, { one: '1 skill', other: `${skills} skills` })
    }`,
  emptyTitle: 'No projects yet',
  emptyBody: 'Create one when you tell every task the same things: who it is for, how it should sound, which tools it needs.',
};
