import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';

/** `[^name]` in a text. */
const reference: TokenizerAndRendererExtension = {
  name: 'footnoteReference',
  level: 'inline',
  start: (source) => source.indexOf('[^'),
  tokenizer(source) {
    const [raw, name] = /^\[\^([^\]\s]{1,60})\](?!:)/.exec(source) ?? [];
    return raw === undefined ? undefined : { type: 'footnoteReference', raw, text: name ?? '' };
  },
};

/** `[^name]: text`, until an empty line or the next note. */
const note: TokenizerAndRendererExtension = {
  name: 'footnote',
  level: 'block',
  start: (source) => source.match(/^\[\^/m)?.index,
  tokenizer(source) {
    const [raw, name = '', text = ''] =
      /^ {0,3}\[\^([^\]\s]{1,60})\]:[ \t]*([^\n]*(?:\n(?!\s*\n|\s*\[\^)[^\n]+)*)(?:\n+|$)/.exec(source) ?? [];
    if (raw === undefined) return undefined;
    return { type: 'footnote', raw, name, tokens: this.lexer.inlineTokens(text.replaceAll(/\n\s*/g, ' ')) };
  },
};

/** `^raised^` and `==marked==`, each within one line and without spaces at its ends. */
function makeSpan(name: string, start: string, pattern: RegExp): TokenizerAndRendererExtension {
  return {
    name,
    level: 'inline',
    start: (source) => source.indexOf(start),
    tokenizer(source) {
      const [raw, text] = pattern.exec(source) ?? [];
      return raw === undefined ? undefined : { type: name, raw, tokens: this.lexer.inlineTokens(text ?? '') };
    },
  };
}

const spans = [
  makeSpan('raised', '^', /^\^(?!\s)([^\s^]{1,40})\^/),
  makeSpan('marked', '==', /^==(?![\s=])([^\n]{0,400}?[^\s=])==(?!=)/),
];

/** Markdown with tables, task lists, footnotes, raised and marked text. */
export const grammar = new Marked({ gfm: true, extensions: [reference, note, ...spans] });

export interface FootnoteToken extends Tokens.Generic {
  type: 'footnote';
  name: string;
}
