import { type Instruction, type LineForm, takeName, takeWord, unquote } from './line-words.ts';

/** The text before and after a keyword; the second part is empty if the keyword is missing. */
function splitAt(text: string, word: string): [before: string, after: string] {
  const at = text.toLowerCase().indexOf(` ${word} `);
  return at === -1 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + word.length + 2).trim()];
}

function make(tool: string, input: Record<string, unknown>, path: string): Instruction {
  return {
    type: 'call',
    call: { tool, input, request: `make ${path}`, done: `made ${path}`, showsResult: false, delivers: path },
  };
}

function readChart(rest: string): Instruction | null {
  const [path, more] = takeName(rest);
  const source = takeWord(more, 'from');
  if (source === null) return null;
  const [before, title] = splitAt(source, 'titled');
  const [file, type] = splitAt(before, 'as');
  const titled = title === '' ? {} : { title: unquote(title) };
  return make('make_chart', { path, file: unquote(file), type: type || 'bar', ...titled }, path);
}

function readDocument(rest: string): Instruction | null {
  const [path, more] = takeName(rest);
  const [source, text] = [takeWord(more, 'from'), takeWord(more, 'with')];
  if (source) return make('make_document', { files: [path], source: unquote(source) }, path);
  return text ? make('make_document', { files: [path], markdown: text }, path) : null;
}

function readSpreadsheet(rest: string): Instruction | null {
  const [path, more] = takeName(rest);
  const file = takeWord(more, 'from');
  return file ? make('make_spreadsheet', { files: [path], sheets: [{ name: 'Data', file: unquote(file) }] }, path) : null;
}

/** A title and bullet points, or a title and the chart of a CSV file. */
function readSlides(rest: string): Instruction | null {
  const [name, more] = takeName(rest);
  const [source, text] = [takeWord(more, 'from'), takeWord(more, 'with')];
  const path = name.replace(/\.(html|pptx)$/i, '');
  const shown = `${path}.html`;
  if (source) {
    const [file, given] = splitAt(source, 'titled');
    const title = unquote(given) || unquote(file);
    const chart = { layout: 'chart', title, chart: { type: 'bar', file: unquote(file) } };
    return make('make_slides', { path, slides: [{ layout: 'title', title }, chart] }, shown);
  }
  const [title = '', ...bullets] = (text ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (title === '') return null;
  const points = bullets.length > 0 ? [{ layout: 'bullets', title, bullets }] : [];
  return make('make_slides', { path, slides: [{ layout: 'title', title }, ...points] }, shown);
}

function readResize(rest: string): Instruction | null {
  const [image, more] = takeName(rest);
  const [size, output] = splitAt(takeWord(more, 'to') ?? '', 'as');
  const [, width, height] = /^(\d{1,4})(?:x(\d{1,4}))?$/.exec(size) ?? [];
  if (width === undefined || output === '') return null;
  const sides = { width: Number(width), ...(height === undefined ? {} : { height: Number(height) }) };
  const path = unquote(output);
  return make('edit_image', { image, output: path, operations: [{ do: 'resize', ...sides }] }, path);
}

/** Each part after `with` is a line of the instruction, and its name a property of the answer. */
function readMap(rest: string): Instruction | null {
  const [file, more] = takeName(rest);
  const [output, last] = takeName(takeWord(more, 'to') ?? '');
  const lines = (takeWord(last, 'with') ?? '')
    .split(';')
    .map((line) => line.trim())
    .filter((line) => line.includes(':'));
  if (output === '' || lines.length === 0) return null;
  const names = lines.map((line) => line.slice(0, line.indexOf(':')).trim());
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return make('map_rows', { file, instruction: lines.join('\n'), schema: { type: 'object', properties }, output }, output);
}

function readSpeak(rest: string): Instruction | null {
  const [path, more] = takeName(rest);
  const text = takeWord(more, 'with');
  return text ? make('make_audio', { path, text }, path) : null;
}

/** Commands for the tools that generate files; the files are delivered. */
export const makingForms: readonly LineForm[] = [
  { verb: 'chart', usage: 'chart FILE from CSV [as bar|line|area|pie|…] [titled TEXT]', read: readChart },
  { verb: 'document', usage: 'document FILE from MARKDOWN, document FILE with TEXT', read: readDocument },
  { verb: 'slides', usage: 'slides FILE from CSV [titled TEXT], slides FILE with TITLE; POINT; …', read: readSlides },
  { verb: 'spreadsheet', usage: 'spreadsheet FILE from CSV', read: readSpreadsheet },
  { verb: 'map', usage: 'map FILE to FILE with FIELD: TEXT; FIELD: TEXT {{COLUMN}}; …', read: readMap },
  { verb: 'resize', usage: 'resize IMAGE to WIDTHxHEIGHT as FILE', read: readResize },
  { verb: 'speak', usage: 'speak FILE with TEXT', read: readSpeak },
];
