export const automation = {
  defaultProfile: 'Default',
  interactiveHint: 'Questions wait in your inbox. If off, the agent decides and lists its assumptions.',
};
