import { plural } from '../plural.ts';

export const projects = {
  title: 'Projects',
  lead: 'Tasks in a project share instructions, connectors and skills.',
  new: 'New project',
  create: 'Create',
  saved: 'Saved. Changes apply to new tasks.',
  changesLead: 'Changes apply to new tasks.',
  name: 'Name',
  instruction: 'Instructions',
  instructionHint: 'Added to every task in this project.',
  noInstruction: 'No instructions',
  connectors: 'Connectors',
  connectorsHint: 'Default connectors, unless a task picks its own.',
  skills: 'Skills',
  skillsHint: 'Default skills. Leave empty to allow all.',
  actionsLabel: 'If nobody can confirm an action',
  actionsHint: 'For tasks that can’t ask anyone for confirmation.',
  actions: { allow: 'Allow', refuse: 'Skip' },
  memory: 'Use memory',
  memoryHint: 'Tasks read and write notes that later tasks find.',
  setup: 'Setup script',
  setupExample: 'pip install polars',
  setupHint: 'Bash. Runs once, when a task first needs it; what it installs is there for every task in this project.',
  setupStatus: { none: '', pending: 'Not run yet', running: 'Running', ready: 'Ready', failed: 'Failed' },
  setupMeaning: {
    none: '',
    pending: 'Runs with the next task that uses commands.',
    running: 'Tasks wait until it has ended.',
    ready: 'Tasks find what it installed.',
    failed: 'Tasks do without it. It is tried again after 10 minutes, or when you change it.',
  },
  setupOutput: 'Output of the setup script',
  tasks: 'View tasks',
  copyId: 'Copy ID',
  counts: (connectors: number, skills: number) =>
    `${plural('en', connectors, { one: '1 connector', other: `${connectors} connectors` })} · ${
      skills === 0 ? 'all skills' : plural('en', skills, { one: '1 skill', other: `${skills} skills` })
    }`,
  emptyTitle: 'No projects yet',
  emptyBody: 'Create one for tasks that share the same audience, tone or tools.',
};
