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

/** When they first shipped; their ids are made of it. */
export const shippedAtMs = Date.UTC(2026, 10, 23);

/** Paragraphs without line ends, which the task would show. */
function write(...paragraphs: string[]): string {
  return paragraphs.map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, ' ')).join('\n\n');
}

const unreached = 'If the web cannot be reached or searched, say so instead of answering from memory.';

const recipes: readonly Omit<ShippedRecipe, 'id'>[] = [
  {
    name: 'Research a question',
    description: 'Searches the web, compares what sources say, and writes a report with citations.',
    fields: [text('question'), choice('length', 'one page', 'three pages', 'ten pages')],
    template: write(
      'Research this question on the web: {{question}}',
      `Look at several independent sources, prefer primary ones, and compare what they say. Write a report of about {{length}} with a short
      answer first, then the reasons, disagreements, and open points. Cite the address of the source of each claim. Deliver it as a document.`,
      unreached,
    ),
  },
  {
    name: 'Compare products',
    description: 'Finds current facts and prices, and puts them side by side in a spreadsheet.',
    fields: [text('products'), text('criteria', false)],
    template: write(
      'Compare these products: {{products}}',
      'Criteria, or if none follow, those that usually decide: {{criteria}}',
      `Find current facts and prices on the web. Deliver a spreadsheet with one row for each product and one column for each criterion, and
      beside them the address and the date of the source. Say in a few sentences which product fits whom.`,
      unreached,
    ),
  },
  {
    name: 'Summarize a document',
    description: 'Reads a file and says what is in it, with the places where it says so.',
    fields: [file('document'), choice('length', 'five sentences', 'one page', 'by section')],
    template: write(
      `Read the attached document {{document}} to its end and summarize it ({{length}}). Name the page or section of every important statement,
      and list decisions, dates, amounts, and open questions separately, each only if there are any.`,
    ),
  },
  {
    name: 'Analyze a table',
    description: 'Checks a CSV file or spreadsheet, answers a question about it, and draws charts.',
    fields: [file('table'), text('question')],
    template: write(
      `Look at the attached table {{table}}. First check it: columns, missing and contradictory values, outliers. Then answer: {{question}}`,
      `Compute with code instead of estimating. Say what you left out or corrected, and whether the answer would change with it. Answer in a
      few sentences with the numbers behind them, and deliver the charts that show it best and the cleaned table.`,
    ),
  },
  {
    name: 'Make a presentation',
    description: 'Turns a topic and notes into slides.',
    fields: [text('topic'), text('audience'), text('notes', false)],
    template: write(
      'Make a presentation. Topic: {{topic}}',
      'Audience: {{audience}}',
      'Notes, if there are any: {{notes}}',
      `Begin with the one message that should be remembered. One idea on each slide, few words, charts where there are numbers; about ten
      slides, fewer if there is less to say, with speaker notes. Take facts from the notes or from sources that you name, invent none, and
      list what is missing. Deliver the slides as PowerPoint.`,
    ),
  },
  {
    name: 'Prepare a meeting',
    description: 'Collects background on people and topics, and writes an agenda.',
    fields: [text('participants'), text('purpose'), date('day')],
    template: write(
      'Prepare a meeting on {{day}}. Participants: {{participants}}',
      'Its purpose: {{purpose}}',
      `Look up what is publicly known about the organizations and the topic, as far as it matters for the purpose, and name the sources.
      Deliver a document of one page: background, an agenda with minutes for each point, questions to ask, and decisions to make.`,
      unreached,
    ),
  },
  {
    name: 'Translate a document',
    description: 'Translates a file and keeps its structure.',
    fields: [file('document'), text('language')],
    template: write(
      `Translate the attached document {{document}} into {{language}}. Keep headings, lists, tables, and the values of numbers, write numbers and
      dates as that language does, and use the same term for the same thing throughout.`,
      `Deliver a document in the same format if possible, and list in your answer the terms whose translation was a choice.`,
    ),
  },
  {
    name: 'Review a contract',
    description: 'Explains a contract in plain words and marks what is unusual. No legal advice.',
    fields: [file('contract'), text('role')],
    template: write(
      `Read the attached contract {{contract}} from the point of view of {{role}}. Explain in plain words what each side has to do, until when,
      and what happens otherwise. List deadlines, costs, liability, and termination with the numbers of their clauses; then clauses that are
      unusual or missing, with a question to ask about each.`,
      'Deliver it as a document whose first line says that this is no legal advice, and name the three most important points in your answer.',
    ),
  },
  {
    name: 'Publish a small website',
    description: 'Builds a simple page from a description and saves it as a website of the account.',
    fields: [text('subject'), text('content'), choice('style', 'plain', 'colorful', 'elegant')],
    template: write(
      'Build a website of one page in a {{style}} style. Subject: {{subject}}',
      'Content:',
      '{{content}}',
      `Invent no names, addresses, or prices that the content does not have. The page has to be readable on a phone and complete without
      scripts. Make a website of it, but do not publish it; I will look at it first.`,
    ),
  },
  {
    name: 'Watch the news',
    description: 'Says what has happened about a topic since a day, or in the last week.',
    fields: [text('topic'), { ...date('since'), required: false }],
    template: write(
      'Find out what has happened about this topic: {{topic}}',
      'Since this day, or if none follows, in the last seven days: {{since}}',
      `Search the web, leave out what is older or only repeats others, and give each piece of news in two sentences with its date and the
      address of its source, the most important first. Say so if there is nothing new.`,
      unreached,
    ),
  },
];

/** All shipped recipes; their ids never change. */
export const shippedRecipes: readonly ShippedRecipe[] = recipes.map((recipe) => ({
  id: deriveId(shippedAtMs, `shipped recipe ${recipe.name}`),
  ...recipe,
}));
