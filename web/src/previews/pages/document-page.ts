import { checkXml } from '../files/check-xml.ts';
import { PreviewFault } from '../files/preview-fault.ts';
import { checkUnpackedSize } from '../files/zip-directory.ts';

/** Size limit: the parser runs in this page and must take only moments. */
const mostUnpackedBytes = 60_000_000;

interface TrustedTypes {
  defaultPolicy: unknown;
  createPolicy(name: string, rules: { createHTML(text: string, type: string, sink: string): string | null }): unknown;
}

interface Description {
  ns?: string;
  tagName: string;
  className?: string;
  style?: Record<string, string> | string;
  children?: (Description | Node | string)[];
}

/** The text of a style element: its only child, or its assigned content. */
function textOfStyle({ children = [], ...properties }: Description): string {
  const set = ['innerHTML', 'textContent'].map((name) => Reflect.get(properties, name) as unknown);
  return [...children, ...set].filter((part) => typeof part === 'string').join('\n');
}

/**
 * Creates elements in a document without a window: nothing in it loads or runs, whatever the file contains. Styles are collected
 * separately, because this page's policy applies even to documents that are never shown.
 */
function createElementBuilder(inert: Document, styles: string[]) {
  return function make(described: Description | Node | string): Node {
    if (typeof described === 'string') return inert.createTextNode(described);
    if (described instanceof Node) return described;
    if (described.tagName === 'style') {
      styles.push(textOfStyle(described));
      return inert.createComment('');
    }
    const { ns, tagName, className, style, children = [], ...properties } = described;
    if (tagName === '#comment') return inert.createComment('');
    const made =
      tagName === '#fragment'
        ? inert.createDocumentFragment()
        : inert.createElementNS(ns ?? 'http://www.w3.org/1999/xhtml', tagName);
    if (made instanceof Element) {
      if (className) made.setAttribute('class', className);
      if (typeof style === 'string') (made as HTMLElement).style.cssText = style;
      else if (style) Object.assign((made as HTMLElement).style, style);
      for (const [name, value] of Object.entries(properties)) if (value !== undefined) Reflect.set(made, name, value);
    }
    made.append(...children.map(make));
    return made;
  };
}

const look = `html,body{margin:0;background:transparent}
.docx-wrapper{background:transparent!important;padding:24px!important}
.docx-wrapper>section.docx{box-shadow:0 0 0 1px #0002!important;margin-bottom:24px!important}`;

/** A Word document. */
export interface DocumentPage {
  html: string;
  /** Width of the first page in pixels; 0 if not specified. */
  width: number;
}

/**
 * The library parses the parts of the file as XML from text. Such a document runs nothing, so this one use is exempt from Trusted Types;
 * everything else that would turn text into markup stays blocked.
 */
function letXmlPass(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes || trustedTypes.defaultPolicy) return;
  const createHTML = (text: string, _type: string, sink: string) => {
    if (sink !== 'DOMParser parseFromString') return null;
    checkXml(text);
    return text;
  };
  trustedTypes.createPolicy('default', { createHTML });
}

/** Renders a Word document as a page for a preview frame. Rejects with a `PreviewFault`. */
export async function renderWordDocument(bytes: Uint8Array): Promise<DocumentPage> {
  checkUnpackedSize(bytes, mostUnpackedBytes);
  letXmlPass();
  const { parseAsync, renderDocument } = await import('docx-preview');
  const inert = document.implementation.createHTMLDocument('');
  const styles: string[] = [];
  const options = { h: createElementBuilder(inert, styles), useBase64URL: true, renderAltChunks: false, experimental: false };
  try {
    const parsed: unknown = await parseAsync(bytes, options);
    inert.body.append(...(await renderDocument(parsed, options)));
  } catch (error) {
    throw new PreviewFault('broken', error);
  }
  const points = Number.parseFloat(inert.querySelector<HTMLElement>('section.docx')?.style.width ?? '');
  const style = [...styles, look].join('\n').replaceAll(/<\/style/gi, '');
  const html = `<!doctype html><html><head><style>${style}</style></head><body>${inert.body.innerHTML}</body></html>`;
  return { html, width: Number.isFinite(points) ? (points * 96) / 72 : 0 };
}
