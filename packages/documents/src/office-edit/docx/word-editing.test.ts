import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  cell,
  linesOf,
  packOffice,
  paragraph,
  partOf,
  run,
  table,
  unpackOffice,
  wordFile,
  wordParts,
} from '../../../../../test/support/files/office-samples.ts';
import type { OfficeEdit } from '../edit-spec.ts';
import { editOffice } from '../office-editor.ts';

const nowMs = Date.UTC(2026, 10, 23, 12);

async function edit(file: Uint8Array, edits: OfficeEdit[], track = false) {
  const picture = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  const job = { path: 'a.docx', output: 'b.docx', edits, track, author: 'Ada & Co', nowMs };
  const { files, notes } = await editOffice(job, (path) => Promise.resolve(path === 'a.docx' ? file : picture));
  return { bytes: files[0]?.bytes ?? new Uint8Array(), notes };
}

const contract = wordFile(
  [
    '<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>1. Term</w:t></w:r></w:p>',
    paragraph(run('The Client shall pay with'), run('in thirty', 'b'), run(' (30) days', 'i'), run(' of the invoice.')),
    '<w:p x14:odd="1"><x14:unknown  a = "b"/><w:r><w:t>Either party may end the “Agreement”.</w:t></w:r></w:p>',
  ].join('\n  '),
);

describe('editing a Word document', () => {
  it('leaves every part that no edit is about as it was packed, and the rest of an edited part as it was written', async () => {
    const { bytes, notes } = await edit(contract, [{ do: 'replace', find: 'thirty (30)', with: 'fourteen (14)' }]);
    const [before, after] = [unpackOffice(contract), unpackOffice(bytes)];
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [name, content] of before) {
      if (name !== 'word/document.xml') expect(after.get(name)?.equals(content), name).toBe(true);
    }
    const expected = before
      .get('word/document.xml')
      ?.toString()
      .replace('in thirty', 'in fourteen (14')
      .replace(' (30) days', ') days');
    expect(after.get('word/document.xml')?.toString()).toBe(expected);
    expect(notes.at(-1)).toBe('Changed parts: word/document.xml. The other 6 are as they were, byte for byte.');
  });

  it('changes no byte of a part if a text is replaced and put back', async () => {
    const { bytes } = await edit(contract, [
      { do: 'replace', find: 'Either party', with: 'No party' },
      { do: 'replace', find: 'No party', with: 'Either party' },
    ]);
    for (const [name, content] of unpackOffice(contract)) expect(unpackOffice(bytes).get(name)?.equals(content), name).toBe(true);
  });

  it('replaces text across runs in the format of the first that differs, with tabs and line breaks', async () => {
    const { bytes } = await edit(contract, [
      { do: 'replace', find: 'pay within thirty (30) days', with: 'pay at\nonce & <fully>' },
    ]);
    const xml = partOf(bytes, 'word/document.xml');
    expect(linesOf(bytes)[1]).toBe('The Client shall pay at|once & <fully> of the invoice.');
    expect(xml).toContain('<w:t>The Client shall pay at</w:t><w:br/><w:t>once &amp; &lt;fully&gt;</w:t></w:r>');
    expect(xml).not.toContain('<w:b/>');
  });

  it('says what is there instead of a text that is not found, and writes nothing', async () => {
    const wrong: [OfficeEdit, string][] = [
      [
        { do: 'replace', find: 'the "agreement"', with: 'x' },
        'differs in letter case, quotes, dashes, or spaces only: "Each party may',
      ],
      [
        { do: 'replace', find: 'The Client must pay in thirty days', with: 'x' },
        'The nearest paragraph reads "The Client shall pay within',
      ],
      [{ do: 'replace', find: 'Zebra crossing', with: 'x' }, 'nor anything like it'],
      [{ do: 'replace', find: 'a', with: 'x' }, 'occurs 8 times. Include more'],
      [{ do: 'replace', find: 'a\nb', with: 'x' }, 'lies within one paragraph'],
      [{ do: 'replace', find: 'a' }, 'with: is missing; replace needs find and with'],
      [{ do: 'replace', find: 'a', with: 'b', image: 'c' }, 'image: has no effect on replace, which takes find, with, all'],
      [{ do: 'insert', paragraphs: ['a'] }, 'give either after or before'],
      [{ do: 'insert', paragraphs: ['a'], after: '1. Term', style: 'Heading 2' }, 'Perhaps "heading 1" is meant'],
      [{ do: 'delete', find: 'Each party', to: 'Term' }, 'comes before find'],
      [{ do: 'fill', values: { a: 1 } }, ''],
      [{ do: 'footer', text: 'a', pages: 'even' }, 'has no footer of its own for even pages'],
    ];
    for (const [each, problem] of wrong) {
      const attempt = edit(contract, [{ do: 'replace', find: 'Either', with: 'Each' }, each]);
      if (problem === '') await expect(attempt).resolves.toBeDefined();
      else await expect(attempt, problem).rejects.toThrow(`edits.1 (${each.do}): `);
      if (problem !== '') await expect(attempt, problem).rejects.toThrow(problem);
    }
  });

  it('takes every text as it is: no pattern, no reference, no mark of a template', async () => {
    const file = wordFile(paragraph(run('a.*b (c+)+$ '), run('$&amp;')));
    const { bytes } = await edit(file, [{ do: 'replace', find: '.*b (c+)+$ $&', with: "$1 $& $' {{x}}" }]);
    expect(linesOf(bytes)).toEqual(["a$1 $& $' {{x}}".replaceAll("'", '&#39;')]);
  });

  it('replaces in headers, tables, links, and text boxes, a repetition of a box for older programs with it', async () => {
    const box = (holder: string) =>
      `<mc:${holder}><w:txbxContent>${paragraph(run('Acme in a box'))}</w:txbxContent></mc:${holder}>`;
    const body = [
      table(['Acme in a cell']),
      paragraph(`<w:hyperlink r:id="rId9">${run('Acme in a link')}</w:hyperlink>`),
      paragraph(`<w:r><mc:AlternateContent>${box('Choice')}${box('Fallback')}</mc:AlternateContent></w:r>`),
    ].join('');
    const { bytes, notes } = await edit(wordFile(body), [
      { do: 'replace', find: 'Acme', with: 'Zenith', all: true },
      { do: 'replace', find: 'Example Ltd', with: 'Zenith Ltd' },
    ]);
    expect(notes.slice(0, 2)).toEqual([
      '1. replace: replaced "Acme" in 3 places.',
      '2. replace: replaced "Example Ltd" in one place.',
    ]);
    expect(partOf(bytes, 'word/document.xml').match(/Zenith/g)).toHaveLength(4);
    expect(partOf(bytes, 'word/header1.xml')).toContain('Confidential, Zenith Ltd');
  });
});

describe('tracked changes', () => {
  const marks = 'w:author="Ada &amp; Co" w:date="2026-11-23T12:00:00Z"';

  it('keep the old text as deleted, as one change, and the format of its first run', async () => {
    const { bytes, notes } = await edit(
      contract,
      [{ do: 'replace', find: 'within thirty (30) days', with: 'within fourteen (14) days' }],
      true,
    );
    expect(linesOf(bytes)[1]).toBe('The Client shall pay within [thirty (30)]{fourteen (14)} days of the invoice.');
    expect(notes[0]).toBe(
      '1. replace: replaced "within thirty (30) days" in one place, as one tracked change; the old text had several formats, the new one has that of its first words.',
    );
    const xml = partOf(bytes, 'word/document.xml');
    expect(xml).toContain(
      `${marks}><w:r w:rsidR="00B2"><w:rPr><w:b/></w:rPr><w:delText xml:space="preserve">thirty</w:delText></w:r>`,
    );
    expect(xml).toContain('<w:rPr><w:b/></w:rPr><w:t>fourteen (14)</w:t>');
    const ids = [...xml.matchAll(/<w:(?:ins|del) w:id="(\d+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('take nothing from a clause that is written anew but its ends, and not the format of a word within', async () => {
    const clause = [run('not exceed the fees paid in the one '), run('(1)', 'b'), run(' month before the claim.')];
    const find = 'the fees paid in the one (1) month before';
    const text = 'the greater of (a) £250,000 and (b) 150% of the Fees paid or payable in the 12 months before';
    const { bytes } = await edit(wordFile(paragraph(...clause)), [{ do: 'replace', find, with: text }], true);
    expect(linesOf(bytes)).toEqual([
      'not exceed the [fees paid in the one (1) month]{greater of (a) £250,000 and (b) 150% of the Fees paid or payable in the 12 months} before the claim.',
    ]);
    expect(partOf(bytes, 'word/document.xml').match(/<w:b\/>/g)).toHaveLength(1);
  });

  it('are counted where much stays between them, and cut no word in two', async () => {
    const file = wordFile(paragraph(run('The Client gives notice in writing to the Supplier.')));
    const { bytes, notes } = await edit(
      file,
      [{ do: 'replace', find: 'The Client gives notice in writing to', with: 'The Customer gives notice in writing only to' }],
      true,
    );
    expect(linesOf(bytes)).toEqual(['The [Client]{Customer} gives notice in writing{ only} to the Supplier.']);
    expect(notes[0]).toMatch(/ in one place, as 2 tracked changes\.$/);
    expect(partOf(bytes, 'word/document.xml')).toContain('> gives notice in writing</w:t></w:r><w:ins');
  });

  it('of paragraphs mark their ends, and accepting or rejecting them gives the new or the old text', async () => {
    const edits: OfficeEdit[] = [
      { do: 'replace', find: 'Client', with: 'Customer' },
      { do: 'insert', paragraphs: ['Late payment bears interest.', ''], after: 'of the invoice' },
      { do: 'insert', paragraphs: ['A first clause.'], after: '1. Term' },
      { do: 'delete', find: 'Either party' },
    ];
    const tracked = await edit(contract, edits, true);
    expect(linesOf(tracked.bytes)).toEqual([
      '1. Term',
      '{A first clause.}',
      'The [Client]{Customer} shall pay within thirty (30) days of the invoice.',
      '{Late payment bears interest.}',
      '',
      '[Either party may end the “Agreement”.]',
    ]);
    const accepted = await edit(tracked.bytes, [{ do: 'accept' }]);
    const plain = await edit(contract, edits);
    expect(linesOf(accepted.bytes).slice(0, 5)).toEqual(linesOf(plain.bytes));
    const rejected = await edit(tracked.bytes, [{ do: 'reject' }]);
    expect(linesOf(rejected.bytes)).toEqual(linesOf(contract));
    expect(partOf(rejected.bytes, 'word/document.xml')).not.toMatch(/w:ins|w:del/);
  });

  it('lie inside the insertions of others, which are ended before a new one begins', async () => {
    const theirs = `<w:ins w:id="7" w:author="Bob" w:date="2026-01-01T00:00:00Z">${run('one two three')}</w:ins>`;
    const { bytes } = await edit(wordFile(paragraph(theirs)), [{ do: 'replace', find: 'two', with: 'zwei' }], true);
    const xml = partOf(bytes, 'word/document.xml');
    expect(xml).not.toMatch(/<w:ins [^>]*>(?:(?!<\/w:ins>).)*<w:ins /);
    const accepted = await edit(bytes, [{ do: 'accept' }]);
    expect(linesOf(accepted.bytes)).toEqual(['one zwei three']);
    const ours = await edit(bytes, [{ do: 'reject', author: 'ada & co' }]);
    expect(linesOf(ours.bytes)[0]?.replaceAll(/[{}]/g, '')).toBe('one two three');
  });

  it('of formats, rows, cells, and moves are accepted and rejected', async () => {
    const who = 'w:author="Bob" w:date="2026-01-01T00:00:00Z"';
    const row = (mark: string, text: string) =>
      `<w:tr><w:trPr><w:${mark} w:id="1" ${who}/></w:trPr>${cell(paragraph(run(text)))}</w:tr>`;
    const body = [
      `<w:p><w:pPr><w:jc w:val="center"/><w:rPr><w:b/></w:rPr><w:pPrChange w:id="2" ${who}><w:pPr><w:jc w:val="left"/></w:pPr></w:pPrChange></w:pPr><w:r><w:rPr><w:b/><w:rPrChange w:id="3" ${who}><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr><w:t>format</w:t></w:r></w:p>`,
      `<w:tbl><w:tblGrid><w:gridCol w:w="9"/></w:tblGrid>${row('ins', 'new row')}${row('del', 'old row')}</w:tbl>`,
      `<w:p><w:moveFromRangeStart w:id="4" w:name="m" ${who}/><w:moveFrom w:id="5" ${who}>${run('from')}</w:moveFrom><w:moveFromRangeEnd w:id="4"/><w:moveTo w:id="6" ${who}>${run('to')}</w:moveTo></w:p>`,
    ].join('');
    const accepted = await edit(wordFile(body), [{ do: 'accept' }]);
    expect(linesOf(accepted.bytes)).toEqual(['format', 'new row', 'to']);
    const rejected = await edit(wordFile(body), [{ do: 'reject' }]);
    expect(linesOf(rejected.bytes)).toEqual(['format', 'old row', 'from']);
    const xml = partOf(rejected.bytes, 'word/document.xml');
    expect(xml).toContain('<w:pPr><w:jc w:val="left"/><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:rPr><w:i/></w:rPr>');
    expect(xml).not.toMatch(/Change|move|trPr><w:(ins|del)/);
  });
});

describe('paragraphs', () => {
  it('take over the form of their neighbor, after a heading that of the text, or a style by its name', async () => {
    const { bytes } = await edit(contract, [
      { do: 'insert', paragraphs: ['after the heading'], after: '1. Term' },
      { do: 'insert', paragraphs: ['2. Payment'], before: 'Either party', style: 'Heading 1' },
      { do: 'insert', paragraphs: ['last'], after: 'Either party' },
    ]);
    const xml = partOf(bytes, 'word/document.xml');
    expect(xml).toContain('<w:p><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:t>after the heading</w:t></w:r></w:p>');
    expect(xml).toContain('<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>2. Payment</w:t></w:r></w:p>');
    expect(linesOf(bytes).at(-1)).toBe('last');
  });

  it('beside a text in a table are said to be in its cell, with the way to add rows', async () => {
    const box = `<w:r><w:pict><w:txbxContent>${paragraph(run('boxed'))}</w:txbxContent></w:pict></w:r>`;
    const boxed = `<w:tbl><w:tr>${cell(paragraph(box))}</w:tr></w:tbl>`;
    const { bytes, notes } = await edit(wordFile(table(['Rent', '900'], ['Sum', 'all']) + boxed), [
      { do: 'insert', paragraphs: ['and heat'], after: 'Rent' },
      { do: 'insert', paragraphs: ['a', 'b'], before: 'all' },
      { do: 'insert', paragraphs: ['c'], after: 'boxed' },
    ]);
    expect(linesOf(bytes).slice(0, 3)).toEqual(['Rent', 'and heat', '900']);
    const inCell = 'in the same cell, so the table has no new row; for rows use insert_rows.';
    expect(notes.slice(0, 3)).toEqual([
      `1. insert: inserted a paragraph after "Rent" ${inCell}`,
      `2. insert: inserted 2 paragraphs before "all" ${inCell}`,
      '3. insert: inserted a paragraph after "boxed".',
    ]);
    const rows = [
      { a: 'Rent', b: 900 },
      { a: 'Water', b: 40 },
    ];
    const longer = await edit(wordFile(table(['Rent', '900'], ['Sum', 'all'])), [
      { do: 'replace', find: 'Rent', with: '{{#rows}}{{a}}' },
      { do: 'replace', find: '900', with: '{{b}}{{/rows}}' },
      { do: 'fill', values: { rows } },
    ]);
    expect(linesOf(longer.bytes)).toEqual(['Rent', '900', 'Water', '40', 'Sum', 'all']);
    expect(partOf(longer.bytes, 'word/document.xml').match(/<w:tr>/g)).toHaveLength(3);
  });

  it('are deleted with the tables between, but not the last of a cell, nor marks of ranges that end elsewhere', async () => {
    const body = [
      paragraph('<w:bookmarkStart w:id="3" w:name="kept"/>', run('first')),
      table(['between']),
      paragraph(run('second')),
      paragraph(run('third'), '<w:bookmarkEnd w:id="3"/>'),
      table(['in a cell']),
    ].join('');
    const { bytes } = await edit(wordFile(body), [
      { do: 'delete', find: 'first', to: 'second' },
      { do: 'delete', find: 'in a cell' },
    ]);
    expect(linesOf(bytes)).toEqual(['third', '']);
    expect(partOf(bytes, 'word/document.xml')).toContain('<w:bookmarkStart w:id="3" w:name="kept"/><w:p');
    const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const contents = wordFile(paragraph(field('begin'), run('Contents')) + paragraph(run('Chapter'), field('end')));
    await expect(edit(contents, [{ do: 'delete', find: 'Contents' }])).rejects.toThrow('a part of a field');
    await expect(edit(contents, [{ do: 'delete', find: 'Contents', to: 'Chapter' }])).resolves.toBeDefined();
  });
});

describe('templates', () => {
  it('repeat rows, paragraphs, and words, with items of items and values of the document around them', async () => {
    const body = [
      paragraph(run('Invoice {{num'), run('ber}} for '), run('{{ client.name }}', 'b')),
      table(['Item', 'Price'], ['{{#items}}{{name}}', '{{price}} {{currency}}{{/items}}'], ['Total', '{{total}}']),
      paragraph(run('{{#notes}}')),
      paragraph(run('Note: {{.}}', 'i')),
      paragraph(run('{{/notes}}')),
      paragraph(run('{{#paid}}Paid in full.{{/paid}}')),
      paragraph(run('{{^paid}}Pay by {{due}}.{{/paid}}')),
      paragraph(run('Tags:{{#tags}} {{name}}{{/tags}}!')),
    ].join('');
    const { bytes, notes } = await edit(wordFile(body), [
      {
        do: 'fill',
        values: {
          number: 7,
          client: { name: 'Ümit & Söhne <GmbH>' },
          currency: 'EUR',
          items: [
            { name: 'Desk', price: '1,200' },
            { name: 'Chair\nwith arms', price: 90 },
          ],
          total: '1,290',
          notes: ['first', 'second'],
          paid: false,
          due: '1 May',
          tags: [{ name: 'a' }, { name: 'b' }],
          extra: 1,
        },
      },
    ]);
    expect(linesOf(bytes)).toEqual([
      'Invoice 7 for Ümit & Söhne <GmbH>',
      ...['Item', 'Price', 'Desk', '1,200 EUR', 'Chair|with arms', '90 EUR', 'Total', '1,290'],
      ...['Note: first', 'Note: second', 'Pay by 1 May.', 'Tags: a b!'],
    ]);
    expect(notes[0]).toBe('1. fill: filled 14 fields and 5 sections; the template has no field for "extra".');
  });

  it('name the fields that lack a value, and keep or empty them on request', async () => {
    const file = wordFile(paragraph(run('{{client_name}} and {{sum}}')));
    const values = { client_nam: 'x', sum: null };
    await expect(edit(file, [{ do: 'fill', values }])).rejects.toThrow('has nothing for client_name (there is "client_nam")');
    const kept = await edit(file, [{ do: 'fill', values, missing: 'keep' }]);
    expect(linesOf(kept.bytes)).toEqual(['{{client_name}} and ']);
    const empty = await edit(file, [{ do: 'fill', values, missing: 'empty' }]);
    expect(linesOf(empty.bytes)).toEqual([' and ']);
    await expect(edit(file, [{ do: 'fill', values: { client_name: [1], sum: 1 } }])).rejects.toThrow('is a list or an object');
    await expect(edit(wordFile(paragraph(run('{{#a}} b'))), [{ do: 'fill', values }])).rejects.toThrow(
      '{{#a}} has no end {{/a}}',
    );
  });

  it('put no value of one field into another', async () => {
    const file = wordFile(paragraph(run('{{a}} {{b}}')));
    const { bytes } = await edit(file, [{ do: 'fill', values: { a: '{{b}}', b: '{{a}}', constructor: 1 } }]);
    expect(linesOf(bytes)).toEqual(['{{b}} {{a}}']);
    await expect(edit(wordFile(paragraph(run('{{toString}}'))), [{ do: 'fill', values: {} }])).rejects.toThrow(
      'has nothing for toString',
    );
  });
});

describe('headers, pictures, and comments', () => {
  it('sets the text of a header in its own form, and adds a footer with page numbers and one of the first page', async () => {
    const { bytes, notes } = await edit(contract, [
      { do: 'header', text: 'Zenith Ltd' },
      { do: 'footer', text: 'Page {page} of {pages}\nsecond line' },
      { do: 'header', text: 'Cover', pages: 'first' },
    ]);
    expect(partOf(bytes, 'word/header1.xml')).toContain(
      '<w:jc w:val="right"/></w:pPr><w:r><w:rPr><w:i/></w:rPr><w:t>Zenith Ltd</w:t>',
    );
    expect(linesOf(bytes, 'word/footer1.xml')).toEqual(['Page 1 of 1', 'second line']);
    expect(partOf(bytes, 'word/footer1.xml')).toContain('w:instr=" NUMPAGES "');
    expect(linesOf(bytes, 'word/header2.xml')).toEqual(['Cover']);
    expect(partOf(bytes, 'word/document.xml')).toContain('<w:titlePg/><w:docGrid');
    expect(partOf(bytes, '[Content_Types].xml')).toContain('wordprocessingml.footer+xml');
    expect(notes.slice(0, 3)).toEqual([
      '1. header: set the header.',
      '2. footer: added a footer.',
      '3. header: added a header of first pages.',
    ]);
  });

  it('puts pictures in the place of a mark, also in a header, or after a paragraph, no wider than the text', async () => {
    const body = paragraph(run('{{lo'), run('go}} of Example', 'b'));
    const header = partOf(contract, 'word/header1.xml').replace('Confidential', '{{stamp}}');
    const { bytes } = await edit(wordFile(body, { 'word/header1.xml': header }), [
      { do: 'picture', image: 'a.png', at: '{{logo}}', alt: 'The "logo"' },
      { do: 'picture', image: 'a.png', at: '{{stamp}}', width_cm: 2 },
      { do: 'picture', image: 'a.png', after: 'of Example', width_cm: 100 },
    ]);
    const xml = partOf(bytes, 'word/document.xml');
    expect(xml).toContain('descr="The &quot;logo&quot;"');
    expect(xml).toContain('<wp:extent cx="1905000" cy="952500"/>');
    expect(partOf(bytes, 'word/header1.xml')).toContain('<wp:extent cx="720000" cy="360000"/>');
    expect(partOf(bytes, 'word/_rels/header1.xml.rels')).toContain('Target="media/image2.png"');
    expect(unpackOffice(bytes).get('word/media/image1.png')?.subarray(1, 4).toString()).toBe('PNG');
    expect(linesOf(bytes)).toEqual([' of Example', '']);
  });

  it('adds comments to a part of a text, beside those there are', async () => {
    const once = await edit(contract, [{ do: 'comment', find: 'thirty (30)', text: 'Why not 14?\nSee law.' }]);
    const { bytes } = await edit(once.bytes, [{ do: 'comment', find: 'Either party', text: 'Both?' }]);
    const comments = partOf(bytes, 'word/comments.xml');
    expect(comments).toMatch(/<w:comment w:id="0" w:author="Ada &amp; Co" [^>]*w:initials="AC">/);
    expect(comments).toContain('w:id="1"');
    expect(linesOf(bytes, 'word/comments.xml')).toEqual(['Why not 14?', 'See law.', 'Both?']);
    expect(partOf(bytes, 'word/document.xml')).toMatch(
      /in <\/w:t><\/w:r><w:commentRangeStart w:id="0"\/>.*thirty.*\(30\).*<w:commentRangeEnd w:id="0"\/><w:r><w:commentReference w:id="0"\/><\/w:r>.* days/s,
    );
    expect(linesOf(bytes)).toEqual(linesOf(contract));
  });
});

describe('hostile documents', () => {
  const attempt = (parts: Record<string, string | Uint8Array>) =>
    edit(packOffice({ ...wordParts(paragraph(run('a'))), ...parts }), [{ do: 'replace', find: 'a', with: 'b' }]);

  it('resolve no entities and no document types, and open nothing outside', async () => {
    const xml = partOf(contract, 'word/document.xml');
    const type = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "&x;&x;&x;">]>';
    await expect(attempt({ 'word/document.xml': xml.replace('?>', `?>${type}`) })).rejects.toThrow('declares a document type');
    await expect(attempt({ 'word/document.xml': xml.replace('Term', '&y;') })).rejects.toThrow('no well-formed XML');
    const outside = partOf(contract, 'word/_rels/document.xml.rels').replace('header1.xml', '../../../etc/passwd');
    await expect(attempt({ 'word/_rels/document.xml.rels': outside })).resolves.toBeDefined();
  });

  it('are refused if they are cut, nested too deeply, or too large', async () => {
    const xml = partOf(contract, 'word/document.xml');
    await expect(attempt({ 'word/document.xml': xml.slice(0, -20) })).rejects.toThrow('no well-formed XML');
    await expect(attempt({ 'word/document.xml': xml.replace('Term', '<w:a>'.repeat(300)) })).rejects.toThrow(
      'nested deeper than 250',
    );
    await expect(attempt({ 'word/document.xml': xml.replace('Term', '<w:a/>'.repeat(1_300_000)) })).rejects.toThrow(
      'too large to edit',
    );
    await expect(attempt({ 'word/document.xml': new Uint8Array(33 * 1024 * 1024) })).rejects.toThrow('too large to edit');
    await expect(attempt({ 'word/document.xml': '' })).rejects.toThrow('no well-formed XML');
  });

  it('of 100,000 runs are edited in time', async () => {
    const many = wordFile(paragraph(...Array.from({ length: 100_000 }, (_, at) => run(`w${at % 10} `, at % 2 ? 'b' : ''))));
    const { bytes, notes } = await edit(many, [
      { do: 'replace', find: 'w3 w4', with: 'x', all: true },
      { do: 'replace', find: 'w9', with: 'y\nz', all: true },
    ]);
    expect(notes[0]).toContain('in 10000 places');
    expect(partOf(bytes, 'word/document.xml').match(/<w:br\/>/g)).toHaveLength(10_000);
  });

  it('repeat no section without end', async () => {
    const file = wordFile(paragraph(run('{{#a}}{{#a}}{{#a}}{{x}}{{/a}}{{/a}}{{/a}}')));
    const values = { x: 1, a: Array.from({ length: 400 }, () => ({})) };
    await expect(edit(file, [{ do: 'fill', values }])).rejects.toThrow('repeated more than 20000 times');
  });
});
