import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import type { GeneratorJobs, Generators } from '@errand/documents';
import { deckFields } from '@errand/documents/deck-spec';
import type { Press } from '@errand/sandbox/press';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { lookAtDeck } from '../pages/look-at-result.ts';
import { noteTemplate } from '../brands/task-brand.ts';
import { makeFiles } from './file-generation.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from '../toolbox/tool.ts';
import { languageField } from './language-field.ts';
import { deckFormats, makePageDeck } from './page-deck.ts';

const input = z.strictObject({
  path: z.string().describe('Without an ending.').meta({ disclosure: 'bare' }),
  page: z.string().optional().describe('HTML (skill design-kit), instead of slides.'),
  format: z.enum(deckFormats).default('pptx'),
  ...deckFields,
  slides: deckFields.slides.optional(),
  language: languageField,
});

/** The two files of a deck, whichever was named. */
function nameDeckForms(path: string): { html: string; pptx: string } {
  const normal = normaliseWorkspacePath(path);
  const stem = normal.replace(/\.(html?|pptx|pdf)$/i, '');
  if (stem === '.' || stem.endsWith('/')) throw invalidField('path', 'is not a file name. Give one such as "decks/sales".');
  return { html: `${stem}.html`, pptx: `${stem}.pptx` };
}

function withTemplate(made: ToolOutcome, { brand }: ToolContext): ToolOutcome {
  return { ...made, output: [made.output, ...noteTemplate(brand, 'pptx')].join('\n') };
}

/** A deck from data, with layouts of the tool's own. */
async function makeDeck(
  generators: Generators,
  press: Press | null,
  { path, ...job }: Omit<GeneratorJobs['deck'], 'files'> & { path: string },
  context: ToolContext,
): Promise<ToolOutcome> {
  const forms = nameDeckForms(path);
  const files = [
    { path: forms.html, format: 'html' as const },
    { path: forms.pptx, format: 'pptx' as const },
  ];
  const outcome = await makeFiles(generators, 'deck', { ...job, files }, context);
  const made = { ...outcome, made: [{ kind: 'slides' as const, path: forms.html, forms }] };
  if (!press) return made;
  const { lines, pictures } = await lookAtDeck(press, forms.html, context);
  return { ...made, output: [made.output, ...lines].join('\n'), ...(pictures.length > 0 && { pictures }) };
}

/** @param press lays out pages and looks at the slides; null on a machine without a browser */
export function createMakeSlides(generators: Generators, press: Press | null = null): Tool {
  return defineTool({
    name: 'make_slides',
    description: 'Makes a deck, NAME.html and NAME.pptx, of slides or of a page.',
    input,
    effect: 'retry',
    summarize: ({ path, title }) => ({ brief: `Making slides ${title || path}`, action: 'Making slides', param: path }),
    async run(request, context) {
      const { slides, page, format, path, language, ...rest } = request;
      if (page !== undefined && slides) throw invalidField('page', 'give either page or slides, not both.');
      if (page !== undefined) {
        const stem = nameDeckForms(path).html.replace(/\.html$/, '');
        const made = await makePageDeck(generators, press, { page, format, stem }, context);
        return format === 'pptx' ? withTemplate(made, context) : made;
      }
      if (!slides) throw invalidField('slides', 'is missing. Give slides, or page with an HTML page.');
      const accent = rest.accent ?? context.brand?.facts.colors.accent;
      const deck = { ...rest, slides, ...(accent !== undefined && { accent }) };
      return withTemplate(await makeDeck(generators, press, { path, language, deck }, context), context);
    },
  });
}
