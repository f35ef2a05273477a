import type { automation as source } from '../../en/automation/automation.ts';

export const automation: typeof source = {
  defaultProfile: 'Standard',
  interactiveHint: 'Fragen warten im Eingang. Sonst entscheidet der Agent selbst und nennt seine Annahmen.',
};
