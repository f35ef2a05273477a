/** A span of text in one style. */
export interface Span {
  text: string;
  isBold?: true;
  isItalic?: true;
  isStruck?: true;
  isCode?: true;
  href?: string;
}

type Style = 'isBold' | 'isItalic' | 'isStruck';

const styles: Readonly<Record<string, Style>> = {
  '**': 'isBold',
  __: 'isBold',
  '*': 'isItalic',
  _: 'isItalic',
  '~~': 'isStruck',
};

/** How far to search for the end of a span: nobody writes longer ones, and this bounds the cost of hostile text. */
const lookahead = 2000;

const link = /!?\[([^\][]{0,500})\]\((https?:\/\/[^()\s]{1,2000}|mailto:[^()\s]{1,300})(?: "[^"]{0,200}")?\)/y;
const delimiter = /\*\*|__|~~|\*|_/y;

function isWordAt(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(at));
}

/** Parses the style marks of Markdown in one line. Other characters stay text. */
class SpanReader {
  readonly #line: string;
  readonly #spans: Span[] = [];
  readonly #open = new Map<Style, string>();
  #at = 0;
  #plain = '';

  constructor(line: string) {
    this.#line = line;
  }

  read(): Span[] {
    while (this.#at < this.#line.length) {
      if (!(this.#readEscape() || this.#readCode() || this.#readLink() || this.#readStyle())) {
        this.#plain += this.#line.charAt(this.#at);
        this.#at += 1;
      }
    }
    this.#flush();
    return this.#spans;
  }

  #flush(): void {
    if (this.#plain !== '') this.#push({ text: this.#plain });
    this.#plain = '';
  }

  #push(span: Span): void {
    this.#spans.push({ ...span, ...Object.fromEntries([...this.#open.keys()].map((style) => [style, true])) });
  }

  #readEscape(): boolean {
    if (this.#line.charAt(this.#at) !== '\\' || !/[!-/:-@[-`{-~]/.test(this.#line.charAt(this.#at + 1))) return false;
    this.#plain += this.#line.charAt(this.#at + 1);
    this.#at += 2;
    return true;
  }

  #readCode(): boolean {
    const marks = /^`{1,8}/.exec(this.#line.slice(this.#at, this.#at + 8))?.[0];
    if (marks === undefined) return false;
    const from = this.#at + marks.length;
    const end = this.#line.slice(from, from + lookahead).indexOf(marks);
    if (end <= 0) return false;
    this.#flush();
    this.#push({ text: this.#line.slice(from, from + end), isCode: true });
    this.#at = from + end + marks.length;
    return true;
  }

  #readLink(): boolean {
    link.lastIndex = this.#at;
    const [whole, text = '', href = ''] = link.exec(this.#line) ?? [];
    if (whole === undefined) return false;
    this.#flush();
    this.#push({ text: text || href, href });
    this.#at += whole.length;
    return true;
  }

  #readStyle(): boolean {
    delimiter.lastIndex = this.#at;
    const mark = delimiter.exec(this.#line)?.[0];
    const style = mark === undefined ? undefined : styles[mark];
    if (mark === undefined || style === undefined) return false;
    const isEnd = this.#open.get(style) === mark;
    if (!(isEnd ? this.#mayEnd(mark) : !this.#open.has(style) && this.#mayBegin(mark))) return false;
    this.#flush();
    if (isEnd) this.#open.delete(style);
    else this.#open.set(style, mark);
    this.#at += mark.length;
    return true;
  }

  #mayEnd(mark: string): boolean {
    return !(mark.startsWith('_') && isWordAt(this.#line, this.#at + mark.length));
  }

  /** A mark opens a span if a word follows it and a matching mark ends that further on. */
  #mayBegin(mark: string): boolean {
    const from = this.#at + mark.length;
    if (!/\S/.test(this.#line.charAt(from)) || this.#line.startsWith(mark, from)) return false;
    if (mark.startsWith('_') && isWordAt(this.#line, this.#at - 1)) return false;
    const end = this.#line.slice(from, from + lookahead).indexOf(mark);
    return end > 0 && /\S/.test(this.#line.charAt(from + end - 1));
  }
}

export function readSpans(line: string): Span[] {
  return new SpanReader(line).read();
}
