import { extname } from 'node:path';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../exit-code.ts';
import { accountOption } from '../input/options.ts';
import type { OptionTable } from '../input/command-shape.ts';
import { formatTable, printReport } from '../output/print.ts';
import { uploadFile } from '../tasks/file-upload.ts';
import { withConnection } from '../transport/connect.ts';
import type { Connection } from '../transport/connection.ts';
import type { ResultOf } from '../transport/operations.ts';
import { defineCommand } from './command.ts';
import { defineRequest } from './request-command.ts';

const projectOption = {
  project: { type: 'string', value: 'PROJECT_ID', about: 'The brand of this project instead of that of the account.' },
} as const satisfies OptionTable;

function readScope(project: string | undefined) {
  return project === undefined ? { scope: 'account' } : { scope: 'project', id: project };
}

type ShownBrand = ResultOf<'brand.set'>['brand'];
type ShownFile = string | { filename: string } | null | undefined;

const showFile = (file: ShownFile) => cleanLine((typeof file === 'object' ? file?.filename : file) ?? '', 80);

function showBrand({ name, theme, colors, fonts, logo, templates, footer }: ShownBrand): string {
  const rows = [
    ['name', cleanLine(name, 80)],
    ['theme', theme],
    ...Object.entries(colors).map(([role, color]) => [`${role} color`, [color].flat().join(', ')]),
    ...Object.entries(fonts).map(([place, font]) => [`${place} font`, showFile(font)]),
    ['logo', showFile(logo)],
    ...Object.entries(templates).map(([form, file]) => [`${form} template`, showFile(file)]),
    ['footer', cleanLine(footer, 200)],
  ];
  return formatTable(rows.filter(([, value]) => value !== ''));
}

const get = defineRequest('brand get', 'brand.get', {
  summary: 'Show the brand of an account or a project: the look of what its agents make.',
  options: projectOption,
  examples: [['brand get', 'its colors, fonts, logo, and templates']],
  input: ({ options }) => readScope(options.project),
  report: ({ brand }) => ({ text: brand ? showBrand(brand) : 'no brand' }),
});

const setOptions = {
  ...projectOption,
  name: { type: 'string', value: 'NAME', about: 'Of the company or project.' },
  theme: { type: 'string', value: 'THEME', about: 'Theme of the design kit that it begins with.' },
  accent: { type: 'string', value: 'COLOR', about: 'Color of headings, links, and covers, such as #0b57b0.' },
  text: { type: 'string', value: 'COLOR', about: 'Color of texts.' },
  background: { type: 'string', value: 'COLOR', about: 'Color of pages.' },
  chart: { type: 'string', multiple: true, value: 'COLOR', about: 'Color of a series of charts; repeatable, in their order.' },
  'heading-font': { type: 'string', value: 'FONT', about: 'Family of the design kit, or a WOFF2 or TTF file.' },
  'text-font': { type: 'string', value: 'FONT', about: 'As for headings, for texts.' },
  logo: { type: 'string', value: 'FILE', about: 'SVG or PNG file.' },
  template: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    about: 'Word, PowerPoint, or Excel file; docx=none removes one; repeatable.',
  },
  footer: { type: 'string', value: 'TEXT', about: 'At the foot of every printed page.' },
} as const satisfies OptionTable;

/** Reads an option: undefined if it is not given, null for `none`, otherwise what `read` makes of it. */
function readValue<Result>(value: string | undefined, read: (value: string) => Result): Result | null | undefined {
  if (value === undefined) return undefined;
  return value === 'none' ? null : read(value);
}

const same = (value: string) => value;

async function readFont(option: string, font: string | undefined, connection: Connection) {
  return readValue(font, (value) => (/\.(woff2|ttf)$/i.test(value) ? uploadFile(option, value, connection) : value));
}

const forms = ['docx', 'pptx', 'xlsx'];

/** The kind of a template and its file; none for `docx=none`. */
function readTemplate(value: string): { form: string; path: string | null } {
  const [removed] = /^\w+(?==none$)/.exec(value) ?? [];
  const form = removed ?? extname(value).slice(1).toLowerCase();
  if (!forms.includes(form)) throw new UsageFault(`--template ${value}: name a .docx, .pptx, or .xlsx file, or write docx=none`);
  return { form, path: removed === undefined ? value : null };
}

const set = defineCommand({
  name: 'brand set',
  summary: 'Set or change the brand of an account or a project; omitted settings stay unchanged.',
  options: { ...setOptions, ...accountOption },
  details: 'none removes a setting. Tasks have the brand when they next begin to work.',
  examples: [
    ['brand set --name Rivermouth --accent "#b3002d" --logo logo.svg', 'used without being asked'],
    ['brand set --template letter.docx --project 0Ab…', 'the letterhead of one project'],
    ['brand set --logo none', 'removes the logo'],
  ],
  async run(shell, { options }) {
    const { account, json, project, name, theme, accent, text, background, chart, logo, template = [], footer } = options;
    const given = template.map(readTemplate);
    return withConnection(shell, { account }, async (connection) => {
      const templates: Record<string, string | null> = {};
      for (const { form, path } of given) templates[form] = path === null ? null : await uploadFile('template', path, connection);
      const result = await connection.call('brand.set', {
        ...readScope(project),
        ...{ name: readValue(name, same), theme: readValue(theme, same), footer: readValue(footer, same) },
        colors: {
          ...{ accent: readValue(accent, same), text: readValue(text, same), background: readValue(background, same) },
          chart: chart?.includes('none') ? null : chart,
        },
        fonts: {
          heading: await readFont('heading-font', options['heading-font'], connection),
          text: await readFont('text-font', options['text-font'], connection),
        },
        logo: await readValue(logo, (path) => uploadFile('logo', path, connection)),
        templates,
      });
      return printReport(shell, json, { json: result, text: showBrand(result.brand) });
    });
  },
});

const remove = defineRequest('brand delete', 'brand.delete', {
  summary: 'Delete the brand of an account or a project, with its files.',
  options: projectOption,
  examples: [['brand delete --project 0Ab…', 'its tasks have the brand of the account again']],
  input: ({ options }) => readScope(options.project),
  report: ({ deleted }) => ({ text: deleted ? 'deleted' : 'no brand' }),
});

/** `errand brand …` */
export const brandCommands = [get, set, remove];
