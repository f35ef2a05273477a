import { z } from 'zod';
import { isWorkspaceFile } from '../toolbox/workspace-file.ts';
import { readAim } from './browser-place.ts';

const target = z
  .string()
  .min(1)
  .max(500)
  .describe(
    'What to act on: a reference of the page such as e12, the words on a link or button, the label of a field, or css= and a selector.',
  );
const file = z
  .string()
  .max(1024)
  .refine(isWorkspaceFile, 'is no path of a file in the workspace')
  .describe('A file of the workspace.');
const submit = z.boolean().default(false).describe('Press Enter afterwards.');

const steps = [
  z.strictObject({
    do: z.literal('open'),
    url: z
      .string()
      .min(1)
      .max(8192)
      .refine(
        (text) => readAim(text) !== null,
        'is neither an address that begins with http:// or https:// nor a path of the workspace',
      )
      .describe(
        'An address that begins with https:// or http://; http://localhost:PORT is a server in the sandbox of this task; or the path of a page in the workspace, such as site/index.html.',
      ),
    new_tab: z.boolean().default(false),
  }),
  z.strictObject({
    do: z.literal('click'),
    target,
    button: z.enum(['left', 'right', 'middle']).default('left'),
    count: z.int().min(1).max(3).default(1).describe('2 for a double click.'),
  }),
  z.strictObject({ do: z.literal('type'), target, text: z.string().max(20_000).describe('What the field is to hold.'), submit }),
  z.strictObject({
    do: z.literal('press'),
    keys: z.string().min(1).max(100).describe('A key such as Enter, Tab, ArrowDown, or a, or several at once: Control+A.'),
    target: target.optional().describe('Where; by default what has the focus.'),
  }),
  z.strictObject({
    do: z.literal('select'),
    target,
    values: z
      .array(z.string().max(500))
      .max(50)
      .describe('Labels or values of the options of a list; all others are deselected.'),
  }),
  z.strictObject({ do: z.literal('check'), target, on: z.boolean().default(true) }),
  z.strictObject({ do: z.literal('hover'), target }),
  z.strictObject({
    do: z.literal('scroll'),
    pages: z.number().min(-20).max(20).default(1).describe('Screens to go down; negative goes up.'),
    target: target.optional().describe('Instead: what to bring into view.'),
  }),
  z.strictObject({ do: z.literal('back') }),
  z.strictObject({ do: z.literal('forward') }),
  z.strictObject({ do: z.literal('reload') }),
  z.strictObject({
    do: z.literal('wait'),
    seconds: z.number().min(0.1).max(30).default(10).describe('How long, at most if there is a text.'),
    text: z.string().min(1).max(500).optional().describe('Until this text is shown.'),
    gone: z.boolean().default(false).describe('Until the text is shown no longer.'),
  }),
  z.strictObject({
    do: z.literal('upload'),
    target,
    paths: z.array(file).min(1).max(10).describe('For a field for files, or a button that asks for some.'),
  }),
  z.strictObject({ do: z.literal('download'), target, path: file }),
  z.strictObject({
    do: z.literal('screenshot'),
    path: file,
    whole: z.boolean().default(false).describe('The whole page, not only the screen.'),
    target: target.optional().describe('Only this.'),
  }),
  z.strictObject({
    do: z.literal('look'),
    part: z.int().min(1).max(1000).default(1).describe('Which part of a long page to show.'),
    target: target.optional().describe('Show only what is below this reference.'),
  }),
  z.strictObject({
    do: z.literal('tab'),
    number: z.int().min(1).max(8).describe('The tab to go to, by its number in the list.'),
  }),
  z.strictObject({ do: z.literal('close_tab') }),
  z.strictObject({
    do: z.literal('viewport'),
    width: z.int().min(240).max(2560),
    height: z.int().min(240).max(2560),
  }),
  z.strictObject({
    do: z.literal('dialog'),
    accept: z
      .boolean()
      .describe(
        'How dialogs of the next steps of this call are answered; otherwise messages are accepted and questions declined.',
      ),
    text: z.string().max(1000).optional().describe('What is typed into a question for text.'),
  }),
  z.strictObject({
    do: z.literal('evaluate'),
    expression: z.string().min(1).max(10_000).describe('JavaScript, evaluated in the page; its value is shown as JSON.'),
  }),
] as const;

/** One thing to do in the browser. */
export const browserStep = z
  .discriminatedUnion('do', steps)
  .meta({ disclosure: 'briefly' })
  .describe(
    'do: open (url, localhost:PORT, or site/index.html), click (target), type (target, text, submit), press (keys), select (values), scroll, wait (text), back, upload (paths), download (path), screenshot (path), evaluate, … target: e12, words, or css=…',
  );

export type BrowserStep = z.infer<typeof browserStep>;
