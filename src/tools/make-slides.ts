import { z } from 'zod';
import { invalidField } from '../base/fault.ts';
import type { Makers } from '../makers/maker-threads.ts';
import { deckFields } from '../makers/slides/deck-spec.ts';
import { normaliseWorkspacePath } from '../sandbox/workspace-path.ts';
import { makeFiles } from './file-making.ts';
import { defineTool, type Tool } from './tool.ts';

const input = z.strictObject({
  path: z.string().describe('Where the deck goes, without an ending: "decks/sales" makes decks/sales.html and decks/sales.pptx.'),
  ...deckFields,
  language: z
    .string()
    .regex(/^([a-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$/, 'must be a language tag such as "en" or "pt-BR"')
    .default('')
    .describe('The language of the text, such as "en", "de", "pt-BR".'),
});

/** The two files of a deck, whichever of them was named. */
export function nameDeckForms(path: string): { html: string; pptx: string } {
  const normal = normaliseWorkspacePath(path);
  const stem = normal.replace(/\.(html?|pptx)$/i, '');
  if (stem === '.' || stem.endsWith('/')) throw invalidField('path', 'is not a file name. Give one such as "decks/sales".');
  return { html: `${stem}.html`, pptx: `${stem}.pptx` };
}

export function createMakeSlides(makers: Makers): Tool {
  return defineTool({
    name: 'make_slides',
    description: `Makes a slide deck from content: a web page (HTML) to present with and the same deck for PowerPoint (PPTX), with notes for the speaker.
The look is given by a theme; write content only. Say one message a slide, in its title; few words; charts and numbers rather than text. Begin with a title slide, part long decks with section slides.
Text becomes smaller to fit; what does not fit is refused, then divide the slide. Pictures come from the workspace. Up to 100 slides.
Example: {"path": "sales", "title": "Sales 2025", "author": "Ada", "slides": [{"layout": "title", "title": "Sales doubled", "subtitle": "Report to the board"}, {"layout": "bullets", "title": "Three reasons", "bullets": ["**New shop** in the harbour", "Lower prices", "  on bread only"], "notes": "Pause here."}, {"layout": "chart", "title": "Every quarter grew", "chart": {"type": "bar", "file": "sales.csv"}}, {"layout": "numbers", "title": "In short", "numbers": [{"value": "+104 %", "label": "sales"}]}]}.`,
    input,
    effect: 'retry',
    account: ({ path, title }) => ({ brief: `Making slides ${title || path}`, action: 'Making slides', param: path }),
    async run({ path, language, ...deck }, context) {
      const forms = nameDeckForms(path);
      const files = [
        { path: forms.html, format: 'html' as const },
        { path: forms.pptx, format: 'pptx' as const },
      ];
      const outcome = await makeFiles(makers, 'deck', { files, deck, language }, context);
      return { ...outcome, made: [{ kind: 'slides', path: forms.html, forms }] };
    },
  });
}
