import { Fault } from '@errand/base/fault.ts';
import { OfficePackage } from '../office-edit/package/office-package.ts';
import { readZip } from '../office-edit/package/zip-archive.ts';

export const templateForms = ['docx', 'pptx', 'xlsx'] as const;
export type TemplateForm = (typeof templateForms)[number];

/** What all parts of a template may unpack to. */
const mostBytes = 100 * 1024 * 1024;

/** Content types of documents and of templates of each form; those with macros are others. */
const mainTypes: Readonly<Record<TemplateForm, RegExp>> = {
  docx: /officedocument\.wordprocessingml\.(document|template)\.main\+xml$/,
  pptx: /officedocument\.presentationml\.(presentation|template)\.main\+xml$/,
  xlsx: /officedocument\.spreadsheetml\.(sheet|template)\.main\+xml$/,
};

/** Parts that run, or hold other programs' files. */
const activePart = /(^|\/)(vbaProject[^/]*|activeX\/.*|.*\.bin|embeddings\/oleObject.*)$/i;

/** Printers' settings of worksheets are binary, and run nothing. */
const harmlessPart = /(^|\/)printerSettings\/[^/]+\.bin$/i;

function refuse(problem: string): Fault {
  return new Fault('invalid_argument', `the template ${problem}.`);
}

function partOfRelations(path: string): string {
  return path.replace(/(^|\/)_rels\/([^/]*)\.rels$/, '$1$2');
}

/** Links of the text are followed by its reader, if at all; everything else is loaded when the file is opened. */
function checkRelations(template: OfficePackage): void {
  for (const path of template.list().filter((name) => name.endsWith('.rels'))) {
    const outside = template.relations(partOfRelations(path)).find(({ isExternal, type }) => isExternal && type !== 'hyperlink');
    if (outside) throw refuse(`loads something from elsewhere (${outside.type}: ${outside.target.slice(0, 100)})`);
  }
}

/** Opens a template. Throws a Fault for one of another form, and for one that is too large, runs, or loads anything. */
export function openTemplate(content: Uint8Array): { form: TemplateForm; template: OfficePackage } {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  const size = readZip(bytes).reduce((sum, entry) => sum + entry.size, 0);
  if (size > mostBytes) throw refuse(`unpacks to more than ${mostBytes / 1024 / 1024} MB`);
  const template = new OfficePackage(bytes);
  const active = template.list().find((name) => activePart.test(name) && !harmlessPart.test(name));
  if (active !== undefined) throw refuse(`holds macros or embedded programs (${active.slice(0, 100)})`);
  const { type } = template.main();
  const form = templateForms.find((each) => mainTypes[each].test(type));
  if (form === undefined) throw refuse('is no Word, PowerPoint, or Excel file without macros');
  checkRelations(template);
  return { form, template };
}
