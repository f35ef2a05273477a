import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseElement, parseMarkup } from './markup-parser.ts';
import { MarkupElement, writeMarkup } from './markup-tree.ts';

const content = fc.constantFrom('', 'text &amp; more', '<!-- a > b -->', '<![CDATA[<raw>]]>', '<?pi x?>', '\r\n\t', '&#x1F600;');
const attribute = fc.constantFrom('', ' a="1"', " b = 'x > y'", '\n  w:c="&quot;"', ' xmlns:v="urn:v"');
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    content,
    fc
      .tuple(
        fc.constantFrom('w:p', 'plain', 'w:ö'),
        attribute,
        fc.constantFrom('', ' ', '\n'),
        fc.array(tie('node'), { maxLength: 4 }),
      )
      .map(([name, own, space, inner]) =>
        inner.length === 0 ? `<${name}${own}${space}/>` : `<${name}${own}${space}>${inner.join('')}</${name}${space}>`,
      ),
  ),
}));

function rootOf(text: string): MarkupElement {
  const root = parseMarkup(text, 'a part').find((each) => each instanceof MarkupElement);
  if (!root) throw new Error('no root');
  return root;
}

describe('markup', () => {
  it('is written back as it was read, to the last space', () => {
    fc.assert(
      fc.property(fc.array(node), (nodes) => {
        const text = `<?xml version="1.0"?>\r\n<w:root xmlns:w='urn:w' >${nodes.join('')}</w:root >\n`;
        expect(writeMarkup(parseMarkup(text, 'a part'))).toBe(text);
        const rows = nodes.map((each) => `<w:row a="1">${each}</w:row >`).join('\n');
        const sheet = `<w:root xmlns:w="urn:w">${rows}<w:row/><w:row></w:row></w:root>`;
        expect(writeMarkup(parseMarkup(sheet, 'a part', (local) => local === 'row'))).toBe(sheet);
      }),
      { numRuns: 500 },
    );
  });

  it('changes an attribute where it is written, and takes any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const root = rootOf(`<r xmlns:w="urn:w" w:id='1'  id = "2"\n/>`);
        root.setAttribute('id', value, 'urn:w');
        expect(root.attribute('id')).toBe('2');
        expect(root.attribute('id', 'urn:w')).toBe(value);
        root.setAttribute('id', null);
        expect(root.attribute('id')).toBeUndefined();
        expect(root.opening).toContain('xmlns:w="urn:w"');
      }),
    );
  });

  it('knows namespaces, not prefixes, and those of Strict as those of Transitional', () => {
    const root = rootOf('<x:a xmlns:x="urn:1"><a xmlns="urn:1"><x:b xmlns:x="urn:2" x:v="1"/></a></x:a>');
    const [inner] = root.elements;
    expect([root.is('urn:1', 'a'), inner?.is('urn:1', 'a'), inner?.elements[0]?.is('urn:2', 'b')]).toEqual([true, true, true]);
    expect(inner?.elements[0]?.attribute('v', 'urn:2')).toBe('1');
    const strict = rootOf('<w:p xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"/>');
    expect(strict.space).toBe('http://schemas.openxmlformats.org/wordprocessingml/2006/main');
    expect(parseElement('<x:c/>', root).space).toBe('urn:1');
  });

  it('that is not well-formed is refused', () => {
    const wrong = [
      ...['', 'text', '<a>', '<a></b>', '<a/><b/>', '<a b=c/>', '<a b="<"/>', '<a>&nbsp;</a>', '<a>&</a>', '<a b="&x;"/>', '<a'],
      ...[
        '<!DOCTYPE a><a/>',
        '<x:a/>',
        '<a><!-- </a>',
        '<a>]]></a',
        '<a><![CDATA[</a>',
        '</a>',
        '<a><?x</a>',
        '< a/>',
        '<a "b"/>',
      ],
    ];
    for (const text of wrong) expect(() => parseMarkup(text, 'a part'), text).toThrow(/a part in the file/);
  });
});
