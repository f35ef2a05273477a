import type { automation as source } from '../../en/automation/automation.ts';

export const automation: typeof source = {
  defaultProfile: 'Predeterminado',
  interactiveHint: 'Las preguntas esperan en tu bandeja. Si no, el agente decide y enumera lo que supuso.',
};
