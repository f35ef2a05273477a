import { z } from 'zod';
import { isWorkspaceFile } from '../toolbox/workspace-file.ts';

const target = z
  .string()
  .min(1)
  .max(500)
  .describe('What to act on: the words on a link or button, the label of a field, or css= and a selector.');
const file = z
  .string()
  .max(1024)
  .refine(isWorkspaceFile, 'is no path of a file in the workspace')
  .describe('A file of the workspace.');

/** One browser action. */
export const browserAction = z
  .discriminatedUnion('do', [
    z.strictObject({
      do: z.literal('open'),
      url: z
        .url({ protocol: /^https?$/ })
        .max(8192)
        .describe('An address, beginning with https:// or http://.'),
    }),
    z.strictObject({ do: z.literal('click'), target }),
    z.strictObject({
      do: z.literal('type'),
      target,
      text: z.string().max(20_000).describe('What the field is to hold.'),
      submit: z.boolean().default(false).describe('Press Enter afterwards.'),
    }),
    z.strictObject({
      do: z.literal('scroll'),
      pages: z.number().min(-20).max(20).default(1).describe('Screens to go down; negative goes up.'),
    }),
    z.strictObject({ do: z.literal('back') }),
    z.strictObject({ do: z.literal('wait'), seconds: z.number().min(0.1).max(15) }),
    z.strictObject({
      do: z.literal('screenshot'),
      path: file,
      whole: z.boolean().default(false).describe('The whole page, not only the screen.'),
    }),
    z.strictObject({ do: z.literal('download'), target, path: file }),
  ])
  .meta({ disclosure: 'briefly' })
  .describe(
    'do: open (url), click (target), type (target, text, submit), scroll (pages), back, wait (seconds), screenshot (path, whole), download (target, path). target: words of a link, button or label, or css=selector.',
  );

export type BrowserAction = z.infer<typeof browserAction>;

/** The browser actions of one run. */
export interface BrowserRequest {
  actions: readonly BrowserAction[];
  program: string;
  proxy: string;
  workspace: string;
  /** Storage that outlasts a run: cookies, and the open page. */
  memory: string;
}

/** The outcome, and what the page shows now. */
export interface BrowserReport {
  /** A line for each action performed. */
  done: string[];
  /** Why the next action failed; null if all succeeded. */
  problem: string | null;
  page: { url: string; title: string; text: string; elements: string[] } | null;
}
