/** What an item waits for; `other` for kinds that this version does not know. */
const types: Record<string, string> = {
  question: 'Question',
  confirmation: 'Confirmation',
  sign_in: 'Sign-in',
  failure: 'Failure',
  other: 'Decision',
};

/** The buttons of a decision: go ahead, do not. */
const choices: Record<string, readonly [accept: string, decline: string]> = {
  confirmation: ['Allow', 'Deny'],
  sign_in: ['I’ve signed in', 'Deny'],
  failure: ['Try again', 'Dismiss'],
  other: ['Accept', 'Decline'],
};

/** The outcome of each type of item: accepted, declined. */
const outcomes: typeof choices = {
  confirmation: ['Allowed', 'Denied'],
  sign_in: ['Signed in', 'Denied'],
  failure: ['Tried again', 'Dismissed'],
  other: ['Accepted', 'Declined'],
};

export const inbox = {
  title: 'Inbox',
  lead: 'Everything in your tasks that waits for you.',
  view: 'Show',
  open: 'Waiting',
  decided: 'Decided',
  type: 'Kind',
  anyType: 'All kinds',
  types,
  choices,
  outcomes,
  answered: 'Answered',
  answer: 'Your answer',
  send: 'Send answer',
  hint: 'What to do differently',
  hintHint: 'Sent to the agent when it tries again.',
  toConnectors: 'Open connectors',
  addNote: 'Add a note',
  note: 'Note',
  noteHint: 'Why you decided this way. Kept with the decision; the agent doesn’t see it.',
  done: 'Decided. The task continues.',
  dismissed: 'Dismissed.',
  assignee: 'Assigned to',
  nobody: 'Nobody',
  you: 'You',
  assigned: 'Assigned.',
  unassigned: 'Assignment removed.',
  answersItself: (time: string) => `Answers itself on ${time}`,
  declinesItself: (time: string) => `Denied automatically on ${time}`,
  notYours: 'Only the task’s owner, or whoever they assign this to, can decide it.',
  decidedBy: (who: string) => `Decided by ${who}`,
  by: {
    you: 'you',
    web: 'someone in the web application',
    chat: (name: string) => `${name} in a chat`,
    mail: 'a reply by mail',
    page: 'a page with a token of the task',
    schedule: 'a schedule',
    trigger: 'a trigger',
    key: (name: string) => `the API key ${name}`,
    app: (name: string) => `the app ${name}`,
    timeLimit: 'the time limit',
    other: 'the operator',
  },
  emptyTitle: 'Nothing waits for you',
  emptyBody: 'When a task has a question, needs a confirmation or a sign-in, or fails, you can decide it here.',
  noneOfType: 'Nothing of this kind',
  noneOfTypeBody: 'Choose another kind to see the rest.',
  noneDecided: 'Nothing decided yet',
  noneDecidedBody: 'What is decided, here or elsewhere, is listed with who decided it, and why.',
};
