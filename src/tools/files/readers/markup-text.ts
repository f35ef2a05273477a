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
const unread = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'SVG', 'IFRAME', 'OBJECT', 'CANVAS']);
const blocks = new Set(
  'P DIV SECTION ARTICLE MAIN HEADER FOOTER ASIDE NAV UL OL TABLE BLOCKQUOTE FIGURE FORM DL DT DD ADDRESS BODY HTML'.split(' '),
);

function children(node: MarkupNode, inPre: boolean): string {
  let text = '';
  for (const child of node.childNodes) text += renderNode(child, inPre);
  return text;
}

function renderRow(row: MarkupNode): string {
  const cells = [...row.childNodes].filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH');
  return `| ${cells.map((cell) => children(cell, false).replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()).join(' | ')} |\n`;
}

function renderLink(node: MarkupNode): string {
  const text = children(node, false).replace(/\s+/g, ' ').trim();
  const target = node.getAttribute?.('href') ?? '';
  return text !== '' && /^https?:/i.test(target) ? `[${text}](${target})` : text;
}

function renderElement(node: MarkupNode, inPre: boolean): string {
  const name = node.nodeName.toUpperCase();
  if (unread.has(name)) return '';
  if (/^H[1-6]$/.test(name)) return `\n\n${'#'.repeat(Number(name[1]))} ${children(node, false).replace(/\s+/g, ' ').trim()}\n\n`;
  switch (name) {
    case 'BR':
      return '\n';
    case 'LI':
      return `\n- ${children(node, false).trim()}`;
    case 'TR':
      return renderRow(node);
    case 'A':
      return renderLink(node);
    case 'IMG':
      return node.getAttribute?.('alt') ? `[image: ${node.getAttribute('alt')}]` : '';
    case 'PRE':
      return `\n\n\`\`\`\n${children(node, true)}\n\`\`\`\n\n`;
    default:
      return blocks.has(name) ? `\n\n${children(node, inPre)}\n\n` : children(node, inPre);
  }
}

function renderNode(node: MarkupNode, inPre: boolean): string {
  if (node.nodeType === textNode) return inPre ? (node.textContent ?? '') : (node.textContent ?? '').replace(/\s+/g, ' ');
  return node.nodeType === elementNode ? renderElement(node, inPre) : '';
}

/** Everything visible to a reader, as Markdown: headings, lists, tables, and links are preserved. */
export function renderMarkup(root: MarkupNode): string {
  return renderNode(root, false)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
