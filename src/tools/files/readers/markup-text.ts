/** The part of the DOM that is needed here; linkedom does the parsing. */
export interface MarkupNode {
  nodeType: number;
  nodeName: string;
  textContent: string | null;
  childNodes: Iterable<MarkupNode>;
  getAttribute?(name: string): string | null;
}

const elementNode = 1;
const textNode = 3;
const unread = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'TITLE', 'SVG', 'IFRAME', 'OBJECT', 'CANVAS']);
const blocks = new Set(
  'P DIV SECTION ARTICLE MAIN HEADER FOOTER ASIDE NAV UL OL BLOCKQUOTE FIGURE FORM DL DT DD ADDRESS BODY HTML'.split(' '),
);

interface Place {
  /** Whether white space is shown as it is. */
  inPre: boolean;
  /** The address of the page, from which the addresses of its links are meant. */
  base: string;
  /** The first row of the table. */
  firstRow?: MarkupNode | undefined;
}

const flowing = (place: Place): Place => ({ ...place, inPre: false });

function children(node: MarkupNode, place: Place): string {
  let text = '';
  for (const child of node.childNodes) text += renderNode(child, place);
  return text;
}

function findFirstRow(table: MarkupNode): MarkupNode | undefined {
  for (const child of table.childNodes) {
    if (child.nodeName === 'TR') return child;
    const row = /^T(HEAD|BODY|FOOT)$/.test(child.nodeName) ? findFirstRow(child) : undefined;
    if (row) return row;
  }
  return undefined;
}

function renderRow(row: MarkupNode, place: Place): string {
  const cells = [...row.childNodes].filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH');
  const texts = cells.map((cell) => children(cell, flowing(place)).replace(/\s+/g, ' ').replaceAll('|', '\\|').trim());
  // A rule below any other row would end the table.
  const isHead = row === place.firstRow && cells.length > 0 && cells.every(({ nodeName }) => nodeName === 'TH');
  return `| ${texts.join(' | ')} |\n${isHead ? `|${' --- |'.repeat(cells.length)}\n` : ''}`;
}

/** The whole address of another page; null for places within the page and for what is no page, like a script or a mail address. */
export function resolveLink(href: string, base: string): string | null {
  const target = /^\s*(#|$)/.test(href) ? null : URL.parse(href, base);
  return target && /^https?:$/.test(target.protocol) ? target.href : null;
}

function renderLink(node: MarkupNode, place: Place): string {
  const text = children(node, flowing(place)).replace(/\s+/g, ' ').trim();
  const href = node.getAttribute?.('href') ?? '';
  const target = resolveLink(href, place.base);
  return text !== '' && target !== null ? `[${text}](${target})` : text;
}

function renderElement(node: MarkupNode, place: Place): string {
  const name = node.nodeName.toUpperCase();
  if (unread.has(name)) return '';
  if (/^H[1-6]$/.test(name))
    return `\n\n${'#'.repeat(Number(name[1]))} ${children(node, flowing(place)).replace(/\s+/g, ' ').trim()}\n\n`;
  switch (name) {
    case 'BR':
      return '\n';
    case 'LI':
      return `\n- ${children(node, flowing(place)).trim()}`;
    case 'TABLE':
      return `\n\n${children(node, { ...place, firstRow: findFirstRow(node) })}\n\n`;
    case 'TR':
      return renderRow(node, place);
    case 'A':
      return renderLink(node, place);
    case 'IMG':
      return node.getAttribute?.('alt') ? `[image: ${node.getAttribute('alt')}]` : '';
    case 'PRE':
      return `\n\n\`\`\`\n${children(node, { ...place, inPre: true })}\n\`\`\`\n\n`;
    default:
      return blocks.has(name) ? `\n\n${children(node, place)}\n\n` : children(node, place);
  }
}

function renderNode(node: MarkupNode, place: Place): string {
  if (node.nodeType === textNode) return place.inPre ? (node.textContent ?? '') : (node.textContent ?? '').replace(/\s+/g, ' ');
  return node.nodeType === elementNode ? renderElement(node, place) : '';
}

/**
 * Everything visible to a reader, as Markdown: headings, lists, tables, and links are preserved.
 * @param url where the page is from; links are given with whole addresses
 */
export function renderMarkup(root: MarkupNode, url = 'about:blank'): string {
  return renderNode(root, { inPre: false, base: url })
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
