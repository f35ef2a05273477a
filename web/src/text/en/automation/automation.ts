export const automation = {
  defaultProfile: 'Default',
  interactiveHint: 'Questions wait in your inbox. If off, the agent decides and lists its assumptions.',
  budget: 'Budget of each reply',
  budgetHint: 'The most that it may cost, with its subtasks.',
  onLimit: 'At the limit',
  onLimits: { wait: 'Wait for a higher budget', end: 'End with an error' },
  decideIn: 'If nobody decides',
  decideInHint: 'A question then gets the answer below; an action is declined.',
  noTimeLimit: 'Wait as long as it takes',
  times: { 600: '10 minutes', 3600: '1 hour', 14400: '4 hours', 86400: '1 day', 259200: '3 days', 604800: '1 week' },
  usualAnswer: 'Answer to questions',
  usualAnswerHint: 'If empty, the agent is told that nobody answered, and uses its own judgment.',
};
