import hljs from 'highlight.js/lib/common';

/** A piece of code with the kind of thing it is; `kind` is empty for what has none. */
export interface CodePart {
  kind: string;
  text: string;
}

/** Walks the marked-up code as a document that runs nothing, and keeps texts and class names only. */
function readParts(node: Node, kind: string): CodePart[] {
  return Array.from(node.childNodes).flatMap((child) => {
    if (child instanceof Element) return readParts(child, child.getAttribute('class') ?? kind);
    return [{ kind, text: child.textContent ?? '' }];
  });
}

/** The parts of the code in a language; null when the language is not known here. */
export function highlight(code: string, language: string): CodePart[] | null {
  if (!hljs.getLanguage(language)) return null;
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  return readParts(new DOMParser().parseFromString(value, 'text/html').body, '');
}
