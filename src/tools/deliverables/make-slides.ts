import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import type { Generators } from '@errand/documents';
import { deckFields } from '@errand/documents/deck-spec';
import type { Press } from '@errand/sandbox/press';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { lookAtDeck } from '../pages/look-at-result.ts';
import { makeFiles } from './file-generation.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';
import { languageField } from './language-field.ts';

const input = z.strictObject({
  path: z.string().describe('Without an ending.'),
  ...deckFields,
  language: languageField,
});

/** The two files of a deck, whichever was named. */
export function nameDeckForms(path: string): { html: string; pptx: string } {
  const normal = normaliseWorkspacePath(path);
  const stem = normal.replace(/\.(html?|pptx)$/i, '');
  if (stem === '.' || stem.endsWith('/')) throw invalidField('path', 'is not a file name. Give one such as "decks/sales".');
  return { html: `${stem}.html`, pptx: `${stem}.pptx` };
}

/** @param press looks at the slides; null on a machine without a browser */
export function createMakeSlides(generators: Generators, press: Press | null = null): Tool {
  return defineTool({
    name: 'make_slides',
    description: 'Makes a slide deck, NAME.html and NAME.pptx. One message a slide, in its title.',
    input,
    effect: 'retry',
    account: ({ path, title }) => ({ brief: `Making slides ${title || path}`, action: 'Making slides', param: path }),
    async run({ path, language, ...deck }, context) {
      const forms = nameDeckForms(path);
      const files = [
        { path: forms.html, format: 'html' as const },
        { path: forms.pptx, format: 'pptx' as const },
      ];
      const outcome = await makeFiles(generators, 'deck', { files, deck, language }, context);
      const made = { ...outcome, made: [{ kind: 'slides' as const, path: forms.html, forms }] };
      if (!press) return made;
      const { lines, pictures } = await lookAtDeck(press, forms.html, context);
      return { ...made, output: [made.output, ...lines].join('\n'), ...(pictures.length > 0 && { pictures }) };
    },
  });
}
