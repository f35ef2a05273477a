import type { Rule } from '../support/models/model-server.ts';

const workSteps = 4;

/** Three kinds of tasks: answered at once, in a stream that takes a moment, or after some steps with tools. */
export const workScript: Rule[] = [
  { match: 'slow', steps: [{ text: Array.from({ length: 8 }, (_, index) => `piece ${index} `), frameDelayMs: 10 }] },
  {
    match: 'work',
    steps: [
      ...Array.from({ length: workSteps }, (_, index) => ({
        frameDelayMs: 5,
        calls: [{ tool: 'write_file', input: { path: `step-${index + 1}.txt`, content: `step ${index + 1}` } }],
      })),
      { text: 'All written.' },
    ],
  },
  { match: '', steps: [{ text: 'Done.' }] },
];
