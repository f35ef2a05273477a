import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { PreviewFault } from '../files/preview-fault.ts';

/** An element of a part of an office file; names without their prefix. */
export interface Node {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: Node[];
  text: string;
}

/** Per part; a real slide does not have more. */
const mostNodes = 100_000;
const deepest = 100;

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** The root of a part. Document types are not parsed, so only the five XML entities exist. Throws a `PreviewFault`. */
function parsePart(xml: string): Node {
  const root: Node = { name: '', attributes: {}, children: [], text: '' };
  const open: Node[] = [root];
  let count = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw new PreviewFault('broken', error);
  });
  parser.on('doctype', () => {
    throw new PreviewFault('broken');
  });
  parser.on('opentag', ({ name, attributes }) => {
    count += 1;
    if (count > mostNodes || open.length > deepest) throw new PreviewFault('tooLarge');
    // Relation ids and shape ids are both called `id`; the prefix distinguishes them.
    const node: Node = { name: localName(name), attributes, children: [], text: '' };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('text', (text) => {
    const node = open.at(-1);
    if (node) node.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root.children[0] ?? root;
}

/** The first element at a path of names. */
export function findDown(node: Node | undefined, ...names: string[]): Node | undefined {
  return names.reduce<Node | undefined>((at, name) => at?.children.find((child) => child.name === name), node);
}

/** All elements with a name below a node. */
export function findAll(node: Node | undefined, name: string): Node[] {
  if (!node) return [];
  return node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)]);
}

/** The requested parts of an office file; unpacked once, within limits. */
export class Package {
  readonly #parts: Record<string, Uint8Array>;

  /** @param wants selects the parts to unpack, by name and unpacked size */
  constructor(bytes: Uint8Array, wants: (name: string, bytes: number) => boolean) {
    try {
      this.#parts = unzipSync(bytes, { filter: ({ name, originalSize }) => wants(name, originalSize) });
    } catch (error) {
      throw error instanceof PreviewFault ? error : new PreviewFault('broken', error);
    }
  }

  bytes(name: string): Uint8Array | undefined {
    return Object.hasOwn(this.#parts, name) ? this.#parts[name] : undefined;
  }

  tree(name: string): Node | undefined {
    const bytes = this.bytes(name);
    return bytes && parsePart(new TextDecoder().decode(bytes));
  }

  /** The relations of a part by id, without targets outside the package. */
  relations(name: string): Map<string, { type: string; target: string }> {
    const at = name.lastIndexOf('/') + 1;
    const rels = this.tree(`${name.slice(0, at)}_rels/${name.slice(at)}.rels`);
    return new Map(
      findAll(rels, 'Relationship').flatMap(({ attributes: { Id = '', Type = '', Target = '', TargetMode } }) => {
        if (TargetMode === 'External' || !URL.canParse(Target, `file:///${name}`)) return [];
        const target = decodeURIComponent(new URL(Target, `file:///${name}`).pathname).slice(1);
        return [[Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target }] as const];
      }),
    );
  }
}
