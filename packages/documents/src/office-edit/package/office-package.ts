import { Fault } from '@errand/base/fault.ts';
import { escapeMarkup } from '../../clean-text.ts';
import { type KeepsWhole, parseElement, parseMarkup } from '../markup/markup-parser.ts';
import { MarkupElement, type MarkupNode, removeNode, writeMarkup } from '../markup/markup-tree.ts';
import { relationsPath, relativeTarget, resolveTarget } from './part-paths.ts';
import { packEntry, readZip, unpackEntry, writeZip, type ZipEntry } from './zip-archive.ts';

const mostPartBytes = 32 * 1024 * 1024;
/** What all parts that are looked at may unpack to. */
const mostBytes = 160 * 1024 * 1024;
const typesPart = '[Content_Types].xml';
const relationSpace = 'http://schemas.openxmlformats.org/package/2006/relationships';
const typeSpace = 'http://schemas.openxmlformats.org/package/2006/content-types';
/** What types of relationships begin with: the last word is the same in both. */
const usualRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const strictRelations = 'http://purl.oclc.org/ooxml/officeDocument/relationships';

export interface Relation {
  id: string;
  /** The last word of its type: `image`, `slide`. */
  type: string;
  /** The part, or an address outside. */
  target: string;
  isExternal: boolean;
}

interface OpenPart {
  nodes: MarkupNode[];
  root: MarkupElement;
  source: string;
}

/** The parts of an office file. What is not changed is written back as it was packed. */
export class OfficePackage {
  readonly #entries: Map<string, ZipEntry>;
  readonly #open = new Map<string, OpenPart>();
  readonly #originals: ReadonlyMap<string, ZipEntry>;
  /** Whether it has a signature, which no longer holds after a change. */
  readonly isSigned: boolean;
  #unpacked = 0;

  constructor(bytes: Uint8Array) {
    const entries = readZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
    this.#originals = new Map(this.#entries);
    this.isSigned = entries.some(({ name }) => name.startsWith('_xmlsignatures/'));
    if (!this.has(typesPart)) throw new Fault('invalid_argument', 'path: the file is no Word, Excel, or PowerPoint file.');
  }

  has(part: string): boolean {
    return this.#entries.has(part);
  }

  list(): string[] {
    return [...this.#entries.keys()];
  }

  /** The part that the package is for, and its content type. */
  main(): { part: string; type: string } {
    const relation = this.relations('').find(({ type }) => type === 'officeDocument');
    if (!relation || !this.has(relation.target)) throw new Fault('invalid_argument', 'path: the file has no document in it.');
    return { part: relation.target, type: this.contentType(relation.target) };
  }

  bytes(part: string): Buffer {
    const entry = this.#entries.get(part);
    if (!entry) throw new Fault('invalid_argument', `path: the file is damaged: it has no ${part}.`);
    this.#unpacked += entry.size;
    if (this.#unpacked > mostBytes) throw new Fault('payload_too_large', 'path: the file unpacks to more than can be edited.');
    return unpackEntry(entry, mostPartBytes);
  }

  /** The content of a part with the changes that were made to it. */
  current(part: string): Uint8Array {
    const open = this.#open.get(part);
    return open ? Buffer.from(writeMarkup(open.nodes)) : this.bytes(part);
  }

  /** The root of an XML part. What is changed in it is saved with the package. */
  root(part: string, keepsWhole?: KeepsWhole): MarkupElement {
    const known = this.#open.get(part);
    if (known) return known.root;
    const bytes = this.bytes(part);
    let source: string;
    try {
      source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new Fault('invalid_argument', `path: ${part} in the file is not written in UTF-8.`);
    }
    const mark = source.startsWith('\ufeff') ? 1 : 0;
    const nodes = parseMarkup(source.slice(mark), part, keepsWhole);
    const root = nodes.find((node) => node instanceof MarkupElement);
    if (!root) throw new Fault('invalid_argument', `path: ${part} in the file is empty.`);
    this.#open.set(part, { nodes, root, source });
    return root;
  }

  /** Adds a part, or replaces one of this name. */
  write(part: string, content: string | Uint8Array, type?: string): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#entries.set(part, packEntry(part, bytes, this.#entries.get(part)));
    this.#open.delete(part);
    if (type !== undefined) this.#declare(part, type);
  }

  /** Removes a part with its relationships and its content type; relationships to it are the caller's. */
  remove(part: string): void {
    for (const each of [part, relationsPath(part)]) {
      this.#entries.delete(each);
      this.#open.delete(each);
    }
    const declared = this.#override(part);
    if (declared) removeNode(declared);
  }

  /** A name for a new part, such as `word/media/image3.png`, that no part has. */
  freeName(stem: string, ending: string): string {
    for (let number = 1; ; number++) if (!this.has(`${stem}${number}${ending}`)) return `${stem}${number}${ending}`;
  }

  contentType(part: string): string {
    const own = this.#override(part)?.attribute('ContentType');
    if (own !== undefined) return own;
    const ending = part.slice(part.lastIndexOf('.') + 1).toLowerCase();
    const usual = this.root(typesPart).elements.find(
      (each) => each.local === 'Default' && each.attribute('Extension')?.toLowerCase() === ending,
    );
    return usual?.attribute('ContentType') ?? '';
  }

  #override(part: string): MarkupElement | undefined {
    const wanted = `/${part}`.toLowerCase();
    return this.root(typesPart).elements.find(
      (each) => each.local === 'Override' && each.attribute('PartName')?.toLowerCase() === wanted,
    );
  }

  #declare(part: string, type: string): void {
    if (this.contentType(part) === type) return;
    const former = this.#override(part);
    if (former) return former.setAttribute('ContentType', type);
    const types = this.root(typesPart);
    const name = `${prefixOf(types, typeSpace)}Override`;
    types.append(parseElement(`<${name} PartName="/${escapeMarkup(part)}" ContentType="${escapeMarkup(type)}"/>`, types));
  }

  /** Where a part leads; '' is the package. */
  relations(part: string): Relation[] {
    const path = relationsPath(part);
    if (!this.has(path)) return [];
    return this.root(path).elements.flatMap((each) => {
      const [id, type = '', target] = ['Id', 'Type', 'Target'].map((name) => each.attribute(name));
      if (each.local !== 'Relationship' || id === undefined || target === undefined) return [];
      const isExternal = each.attribute('TargetMode') === 'External';
      return {
        id,
        type: type.slice(type.lastIndexOf('/') + 1),
        target: isExternal ? target : resolveTarget(part, target),
        isExternal,
      };
    });
  }

  /** The relationship of `part` to `target`, which is added if there is none; its id. */
  relate(part: string, type: string, target: string): string {
    const relations = this.relations(part);
    const known = relations.find((each) => each.type === type && each.target === target && !each.isExternal);
    if (known) return known.id;
    const path = relationsPath(part);
    if (!this.has(path)) {
      const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
      this.write(path, `${head}<Relationships xmlns="${relationSpace}"></Relationships>`);
    }
    const ids = new Set(relations.map(({ id }) => id));
    let number = relations.length + 1;
    while (ids.has(`rId${number}`)) number++;
    const root = this.root(path);
    const name = `${prefixOf(root, relationSpace)}Relationship`;
    const relationBase = this.#isStrict ? strictRelations : usualRelations;
    const address = escapeMarkup(relativeTarget(part, target));
    root.append(parseElement(`<${name} Id="rId${number}" Type="${relationBase}/${type}" Target="${address}"/>`, root));
    return `rId${number}`;
  }

  get #isStrict(): boolean {
    return this.root('_rels/.rels').elements.some((each) => each.attribute('Type')?.startsWith(strictRelations));
  }

  unrelate(part: string, isUnwanted: (relation: Relation) => boolean): void {
    const unwanted = new Set(
      this.relations(part)
        .filter(isUnwanted)
        .map(({ id }) => id),
    );
    if (unwanted.size === 0) return;
    for (const each of this.root(relationsPath(part)).elements) if (unwanted.has(each.attribute('Id') ?? '')) removeNode(each);
  }

  /** The file, and what is new in it. A part whose content is as it was keeps its packed bytes. */
  save(): { bytes: Uint8Array; changed: string[]; kept: number } {
    for (const [part, { nodes, source }] of this.#open) {
      const mark = source.startsWith('\ufeff') ? '\ufeff' : '';
      const text = `${mark}${writeMarkup(nodes)}`;
      if (text !== source) this.#entries.set(part, packEntry(part, Buffer.from(text), this.#entries.get(part)));
    }
    const entries = [...this.#entries.values()];
    const changed = entries.filter((entry) => this.#originals.get(entry.name) !== entry).map(({ name }) => name);
    return { bytes: writeZip(entries), changed, kept: entries.length - changed.length };
  }
}

/** The prefix of a namespace with its colon, for markup that is put into an element. */
export function prefixOf(element: MarkupElement, space: string): string {
  const prefix = element.scope.prefixOf(space);
  if (prefix === undefined) throw new Error(`${space} has no prefix in ${element.name}`);
  return prefix === '' ? '' : `${prefix}:`;
}
