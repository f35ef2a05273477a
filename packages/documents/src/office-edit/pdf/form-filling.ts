import {
  PDFCheckBox,
  type PDFDocument,
  PDFDropdown,
  type PDFField,
  PDFFont,
  PDFOptionList,
  PDFRadioGroup,
  PDFTextField,
  StandardFontEmbedder,
  StandardFonts,
} from '@cantoo/pdf-lib';
import { invalidField } from '@errand/base/fault.ts';
import { cleanText } from '../../clean-text.ts';
import type { EmbeddedFont } from '../../pdf/embedded-font.ts';
import type { FontBook } from '../../pdf/font-book.ts';

const mostListed = 60;

function quote(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).map((name) => JSON.stringify(name));
  return [...shown, ...(names.length > shown.length ? [`${names.length - shown.length} more`] : [])].join(', ');
}

type Choice = PDFDropdown | PDFOptionList | PDFRadioGroup;

function isChoice(field: PDFField): field is Choice {
  return field instanceof PDFDropdown || field instanceof PDFOptionList || field instanceof PDFRadioGroup;
}

/** A field with what it takes. */
function describeField(field: PDFField): string {
  const name = JSON.stringify(field.getName());
  if (field instanceof PDFTextField) return `${name} (text)`;
  if (field instanceof PDFCheckBox) return `${name} (true or false)`;
  return isChoice(field) ? `${name} (one of ${quote(field.getOptions())})` : `${name} (cannot be filled)`;
}

/** Lets the library write with one of our fonts, which are embedded: those that it knows lack most letters. */
function adaptFont(font: EmbeddedFont, document: PDFDocument): PDFFont {
  const { ascent, descent, unitsPerEm } = font.face;
  const heightOf = (withDescender: boolean) => (ascent - (withDescender ? descent : 0)) / unitsPerEm;
  const embedder = Object.assign(StandardFontEmbedder.for(StandardFonts.Helvetica as never), {
    fontName: font.key,
    encodeText: (text: string) => font.encode(text),
    glyphCountOfText: (text: string) => Array.from(text).length,
    widthOfTextAtSize: (text: string, size: number) =>
      Array.from(text).reduce((sum, character) => sum + font.widthOf(character.codePointAt(0) ?? 0), 0) * size,
    heightOfFontAtSize: (size: number, { descender = true } = {}) => heightOf(descender) * size,
    sizeOfFontAtHeight: (height: number) => height / heightOf(true),
  });
  return PDFFont.of(font.reference, document, embedder);
}

function fontFor(document: PDFDocument, book: FontBook, text: string): PDFFont {
  const font = book.findWhole(text);
  if (font) return adaptFont(font, document);
  const remedy = 'Write it in other letters, or stamp a picture of it.';
  throw invalidField('values', `no font of this machine can write ${JSON.stringify(text.slice(0, 60))} into a field. ${remedy}`);
}

function asText(value: unknown, field: PDFField): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return cleanText(String(value));
  throw invalidField('values', `${describeField(field)} takes a text, not ${JSON.stringify(value)?.slice(0, 60)}.`);
}

function setText(field: PDFTextField, text: string, document: PDFDocument, book: FontBook): void {
  const most = field.getMaxLength();
  if (most !== undefined && text.length > most) {
    throw invalidField(
      'values',
      `${describeField(field)} takes at most ${most} characters; ${JSON.stringify(text)} has ${text.length}.`,
    );
  }
  field.setText(text);
  field.updateAppearances(fontFor(document, book, text));
}

function choose(field: Choice, value: unknown, document: PDFDocument, book: FontBook): void {
  const options = field.getOptions();
  const wanted = (Array.isArray(value) ? value : [value]).map((each) => asText(each, field)).filter((each) => each !== '');
  const unknown = wanted.find((each) => !options.includes(each));
  if (unknown !== undefined) throw invalidField('values', `${describeField(field)} has no choice ${JSON.stringify(unknown)}.`);
  const [first, other] = wanted;
  if (first === undefined) return field.clear();
  if (field instanceof PDFRadioGroup) {
    if (other !== undefined) throw invalidField('values', `${describeField(field)} takes one choice.`);
    return field.select(first);
  }
  field.select(wanted);
  field.updateAppearances(fontFor(document, book, options.join('\n')));
}

/** Fills fields of a form by their names. Throws a Fault that lists the fields for an unknown name, or what a field takes. */
export function fillForm(document: PDFDocument, book: FontBook, values: Readonly<Record<string, unknown>>): string {
  const fields = document.getForm().getFields();
  if (fields.length === 0) throw invalidField('do', 'the PDF has no form. Use stamp to write on its pages.');
  for (const [name, value] of Object.entries(values)) {
    const field = fields.find((each) => each.getName() === name);
    if (!field) {
      const known = fields.slice(0, mostListed).map(describeField).join(', ');
      throw invalidField('values', `there is no field ${JSON.stringify(name)}. There are ${known}.`);
    }
    if (field instanceof PDFTextField) setText(field, asText(value, field), document, book);
    else if (field instanceof PDFCheckBox) {
      if (typeof value !== 'boolean') throw invalidField('values', `${describeField(field)} takes no ${JSON.stringify(value)}.`);
      if (value) field.check();
      else field.uncheck();
    } else if (isChoice(field)) choose(field, value, document, book);
    else throw invalidField('values', `${describeField(field)} is a button or a signature.`);
  }
  const names = Object.keys(values);
  const rest = fields.filter((field) => !names.includes(field.getName())).map(describeField);
  const left = rest.length === 0 ? '' : `; left as they were: ${rest.slice(0, mostListed).join(', ')}`;
  return `filled ${names.length} of ${fields.length} fields${left}`;
}

/** Turns the fields into plain content of their pages. */
export function flattenForm(document: PDFDocument): string {
  const form = document.getForm();
  const count = form.getFields().length;
  if (count === 0) throw invalidField('do', 'the PDF has no form to flatten.');
  form.flatten();
  return `made ${count} fields plain content`;
}
