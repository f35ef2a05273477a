import { escapeMarkup } from '../../clean-text.ts';

/** Namespaces by prefix, as declared around an element. */
export class Scope {
  readonly #own: ReadonlyMap<string, string>;
  readonly #outer: Scope | null;

  constructor(own: ReadonlyMap<string, string>, outer: Scope | null) {
    this.#own = own;
    this.#outer = outer;
  }

  spaceOf(prefix: string): string | undefined {
    return this.#own.get(prefix) ?? this.#outer?.spaceOf(prefix);
  }

  /** A prefix of a namespace; empty for the default one, undefined for one that is not declared here. */
  prefixOf(space: string): string | undefined {
    for (const [prefix, own] of this.#own) if (own === space) return prefix;
    const outer = this.#outer?.prefixOf(space);
    return outer === undefined || this.#own.has(outer) ? undefined : outer;
  }
}

export type MarkupNode = MarkupElement | MarkupText;

/** Anything that is no element, as written: text, comments, instructions. */
export class MarkupText {
  raw: string;
  parent: MarkupElement | null = null;

  constructor(raw: string) {
    this.raw = raw;
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of markup. The grammar has been checked, and knows no entities but those of XML. */
export function decodeMarkup(raw: string): string {
  if (raw.startsWith('<![CDATA[')) return raw.slice(9, -3);
  if (raw.startsWith('<')) return '';
  if (!raw.includes('&')) return raw;
  return raw.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

// Only after a space, so that a long name is read once.
const attributePattern = /(?<=\s)([^\s=/>"'<]+)\s*=\s*("[^"]*"|'[^']*')/g;

/** An element as it is written, so that what is not changed is written back the same. */
export class MarkupElement {
  readonly name: string;
  readonly space: string;
  readonly local: string;
  readonly scope: Scope;
  /** The start tag up to its end, without `>` or `/>`. */
  opening: string;
  /** The end tag; null for an element that is one tag. */
  closing: string | null;
  children: MarkupNode[] = [];
  parent: MarkupElement | null = null;

  constructor(opening: string, name: string, scope: Scope, closing: string | null) {
    this.opening = opening;
    this.name = name;
    this.scope = scope;
    this.closing = closing;
    const colon = name.indexOf(':');
    this.local = colon < 0 ? name : name.slice(colon + 1);
    this.space = scope.spaceOf(colon < 0 ? '' : name.slice(0, colon)) ?? '';
  }

  /** Whether it is this element of this namespace. */
  is(space: string, local: string): boolean {
    return this.local === local && this.space === space;
  }

  /** The child elements. */
  get elements(): MarkupElement[] {
    return this.children.filter((child) => child instanceof MarkupElement);
  }

  child(space: string, local: string): MarkupElement | undefined {
    return this.children.find((child): child is MarkupElement => child instanceof MarkupElement && child.is(space, local));
  }

  /** The text directly inside. */
  get text(): string {
    return this.children.map((child) => (child instanceof MarkupText ? decodeMarkup(child.raw) : '')).join('');
  }

  set text(text: string) {
    this.replaceChildren([new MarkupText(escapeMarkup(text))]);
  }

  attribute(local: string, space = ''): string | undefined {
    for (const [, name = '', quoted = ''] of this.opening.matchAll(attributePattern)) {
      if (this.#isNamed(name, local, space)) return decodeMarkup(quoted.slice(1, -1));
    }
    return undefined;
  }

  /** Sets an attribute where it is written, or at the end of the tag; null removes it. */
  setAttribute(local: string, value: string | null, space = ''): void {
    for (const match of this.opening.matchAll(attributePattern)) {
      if (!this.#isNamed(match[1] ?? '', local, space)) continue;
      const rest = this.opening.slice(match.index + match[0].length);
      const before = this.opening.slice(0, match.index);
      this.opening = value === null ? `${before.trimEnd()}${rest}` : `${before}${match[1]}="${escapeMarkup(value)}"${rest}`;
      return;
    }
    if (value === null) return;
    const prefix = space === '' ? '' : `${this.scope.prefixOf(space) ?? ''}:`;
    this.opening = `${this.opening.trimEnd()} ${prefix}${local}="${escapeMarkup(value)}"`;
  }

  #isNamed(name: string, local: string, space: string): boolean {
    const colon = name.indexOf(':');
    if (colon < 0) return space === '' && name === local;
    return name.slice(colon + 1) === local && this.scope.spaceOf(name.slice(0, colon)) === space;
  }

  replaceChildren(children: readonly MarkupNode[]): void {
    for (const child of this.children) child.parent = null;
    this.children = [];
    this.append(...children);
  }

  append(...nodes: readonly MarkupNode[]): void {
    this.insertAt(this.children.length, nodes);
  }

  insertAt(index: number, nodes: readonly MarkupNode[]): void {
    this.closing ??= `</${this.name}>`;
    const following = this.children.splice(index);
    // One by one: a document can have more children than a call can have arguments.
    for (const node of nodes) {
      node.parent = this;
      this.children.push(node);
    }
    for (const node of following) this.children.push(node);
  }

  /** Every element below that `accepts`, in document order; elements inside those are found too. */
  *descendants(accepts: (element: MarkupElement) => boolean): Generator<MarkupElement> {
    for (const child of this.children) {
      if (!(child instanceof MarkupElement)) continue;
      if (accepts(child)) yield child;
      yield* child.descendants(accepts);
    }
  }
}

/** Puts nodes in the place of one. */
export function replaceNode(node: MarkupNode, by: readonly MarkupNode[]): void {
  const { parent } = node;
  if (!parent) return;
  const index = parent.children.indexOf(node);
  for (const each of by) each.parent = parent;
  parent.children.splice(index, 1, ...by);
  if (!by.includes(node)) node.parent = null;
}

export function removeNode(node: MarkupNode): void {
  replaceNode(node, []);
}

export function insertBefore(node: MarkupNode, nodes: readonly MarkupNode[]): void {
  replaceNode(node, [...nodes, node]);
}

export function insertAfter(node: MarkupNode, nodes: readonly MarkupNode[]): void {
  replaceNode(node, [node, ...nodes]);
}

/** A copy that belongs nowhere yet. */
export function cloneNode<Node extends MarkupNode>(node: Node): Node;
export function cloneNode(node: MarkupNode): MarkupNode {
  if (node instanceof MarkupText) return new MarkupText(node.raw);
  const copy = new MarkupElement(node.opening, node.name, node.scope, node.closing);
  copy.children = node.children.map((child) => cloneNode(child));
  for (const child of copy.children) child.parent = copy;
  return copy;
}

function writeInto(pieces: string[], node: MarkupNode): void {
  if (node instanceof MarkupText) {
    pieces.push(node.raw);
    return;
  }
  if (node.closing === null) {
    pieces.push(node.opening, '/>');
    return;
  }
  pieces.push(node.opening, '>');
  for (const child of node.children) writeInto(pieces, child);
  pieces.push(node.closing);
}

/** Nodes as text; those that were not changed as they were read. */
export function writeMarkup(nodes: readonly MarkupNode[]): string {
  const pieces: string[] = [];
  for (const node of nodes) writeInto(pieces, node);
  return pieces.join('');
}
