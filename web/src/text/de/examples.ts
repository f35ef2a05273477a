import type { examples as source } from '../en/examples.ts';

export const examples: typeof source = {
  recorded: 'Aufzeichnung',
  play: 'Abspielen',
  pause: 'Anhalten',
  note: 'Dies ist die Aufzeichnung einer fertigen Aufgabe. Es läuft nichts.',
  reuse: 'Diesen Auftrag verwenden',
};
