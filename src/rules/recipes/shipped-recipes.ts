import { deriveId } from '@errand/base/ids.ts';
import type { RecipeField } from './recipe.ts';

/** A recipe that comes with the service and works with its built-in tools. */
export interface ShippedRecipe {
  id: string;
  name: string;
  description: string;
  template: string;
  fields: readonly RecipeField[];
}

const text = (name: string, required = true): RecipeField => ({ name, type: 'text', required });
const file = (name: string): RecipeField => ({ name, type: 'file', required: true });
const date = (name: string): RecipeField => ({ name, type: 'date', required: true });
const choice = (name: string, ...choices: string[]): RecipeField => ({ name, type: 'choice', required: true, choices });

/** When the shipped recipes of this version last changed. */
export const shippedAtMs = Date.UTC(2026, 10, 23);

const recipes: readonly Omit<ShippedRecipe, 'id'>[] = [
  {
    name: 'Research a question',
    description: 'Searches the web, compares what sources say, and writes a report with citations.',
    fields: [text('question'), choice('length', 'one page', 'three pages', 'ten pages')],
    template: `Research this question on the web: {{question}}

Look at several independent sources, prefer primary ones, and compare what they say. Write a report of about {{length}} with a short answer
first, then the reasons, disagreements, and open points. Cite the address of the source of each claim. Deliver it as a document.`,
  },
  {
    name: 'Compare products',
    description: 'Finds current facts and prices, and puts them side by side in a spreadsheet.',
    fields: [text('products'), text('criteria', false)],
    template: `Compare these products: {{products}}

Criteria that matter most: {{criteria}}. Find current facts and prices on the web and note where each comes from. Deliver a spreadsheet with one
row for each product and one column for each criterion, and say in a few sentences which fits whom.`,
  },
  {
    name: 'Summarize a document',
    description: 'Reads a file and says what is in it, with the places where it says so.',
    fields: [file('document'), choice('length', 'five sentences', 'one page', 'by section')],
    template: `Read the attached document {{document}} and summarize it ({{length}}). Name the page or section of every important statement, and list
decisions, dates, amounts, and open questions separately.`,
  },
  {
    name: 'Analyze a table',
    description: 'Checks a CSV file or spreadsheet, answers a question about it, and draws charts.',
    fields: [file('table'), text('question')],
    template: `Look at the attached table {{table}}. First check it: columns, missing and contradictory values, outliers. Then answer: {{question}}

Compute with code instead of estimating. Deliver the result with the charts that show it best, and the cleaned table.`,
  },
  {
    name: 'Make a presentation',
    description: 'Turns a topic and notes into slides.',
    fields: [text('topic'), text('audience'), text('notes', false)],
    template: `Make a presentation about {{topic}} for {{audience}}.

Notes: {{notes}}

Begin with the one message that should be remembered. One idea on each slide, few words, charts where there are numbers; about ten slides, with
speaker notes. Deliver the slides.`,
  },
  {
    name: 'Prepare a meeting',
    description: 'Collects background on people and topics, and writes an agenda.',
    fields: [text('participants'), text('purpose'), date('day')],
    template: `Prepare a meeting on {{day}} with {{participants}}. Its purpose: {{purpose}}

Look up what is publicly known about the organizations and the topic, as far as it matters for the purpose. Deliver one page: background,
an agenda with times, questions to ask, and decisions to make.`,
  },
  {
    name: 'Translate a document',
    description: 'Translates a file and keeps its structure.',
    fields: [file('document'), text('language')],
    template: `Translate the attached document {{document}} into {{language}}. Keep headings, lists, tables, and numbers as they are, use the same term for
the same thing throughout, and list the terms whose translation was a choice. Deliver a document in the same format if possible.`,
  },
  {
    name: 'Review a contract',
    description: 'Explains a contract in plain words and marks what is unusual. No legal advice.',
    fields: [file('contract'), text('role')],
    template: `Read the attached contract {{contract}} from the point of view of {{role}}. Explain in plain words what each side has to do, until when, and
what happens otherwise. List deadlines, costs, liability, termination, and clauses that are unusual or missing, with their numbers and a
question to ask about each. Say that this is no legal advice.`,
  },
  {
    name: 'Publish a small website',
    description: 'Builds a simple page from a description and saves it as a website of the account.',
    fields: [text('subject'), text('content'), choice('style', 'plain', 'colorful', 'elegant')],
    template: `Build a website of one page about {{subject}} in a {{style}} style. Content:

{{content}}

It has to be readable on a phone and without scripts. Save it as a website, but do not publish it; I will look at it first.`,
  },
  {
    name: 'Watch the news',
    description: 'Says what has happened about a topic since a day.',
    fields: [text('topic'), date('since')],
    template: `Find out what has happened about {{topic}} since {{since}}. Search the web, leave out what is older or only repeats others, and give each piece
of news in two sentences with its date and source, the most important first. Say so if there is nothing new.`,
  },
];

/** All shipped recipes; their ids never change. */
export const shippedRecipes: readonly ShippedRecipe[] = recipes.map((recipe) => ({
  id: deriveId(shippedAtMs, `shipped recipe ${recipe.name}`),
  ...recipe,
}));
