import { longestReading } from './document-reading.ts';
import { partText, type Parts } from './package-parts.ts';
import { attributeValues, readRemarks, readXmlLines, relatedParts } from './part-xml.ts';

/** What stands around the text of office files. */

const isWordText = (name: string) => name === 'w:t';

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`--- ${title} ---\n${lines.join('\n').slice(0, longestReading / 4)}`];
}

/** Headers and footers of a Word document, each text once. */
export function listAround(parts: Parts): Record<'headers' | 'footers', string[]> {
  const related = [...relatedParts(parts, 'word/document.xml').values()].filter((name) => parts.has(name));
  const read = (kind: string) => {
    const named = related.filter((name) => name.startsWith(`word/${kind}`));
    return section(kind, [
      ...new Set(named.flatMap((name) => readXmlLines(partText(parts, name), isWordText, (tag) => tag === 'w:p'))),
    ]);
  };
  return { headers: read('header'), footers: read('footer') };
}

/** Comments of a Word document with their authors, and how many there are. */
export function listWordComments(parts: Parts): { count: number; lines: string[] } {
  const related = [...relatedParts(parts, 'word/document.xml').values()];
  const part = related.find((name) => /^word\/comments\d*\.xml$/.test(name)) ?? 'word/comments.xml';
  const xml = partText(parts, part);
  const comments = xml === '' ? [] : readRemarks(xml, 'w:comment', isWordText);
  const lines = comments.map(({ attributes, text }) => `${attributes['w:author'] ?? 'somebody'}: ${text}`);
  return { count: lines.length, lines: section('comments', lines) };
}

/** Comments on cells of a workbook, by the name of their sheet: `B2: Check this`. */
export function listCellComments(parts: Parts): Map<string, string[]> {
  const targets = relatedParts(parts, 'xl/workbook.xml');
  const sheets = attributeValues(partText(parts, 'xl/workbook.xml'), 'sheet', ['name', 'r:id']);
  return new Map(
    sheets.map(([name = '', id = '']) => {
      const related = [...relatedParts(parts, targets.get(id) ?? '').values()];
      // Where there are threads, the older part has only a placeholder for each.
      const threads = related.filter((one) => one.startsWith('xl/threadedComments/'));
      const files = threads.length > 0 ? threads : related.filter((one) => /^xl\/(comments\/)?comments?\d*\.xml$/.test(one));
      const comments = files
        .filter((file) => parts.has(file))
        .flatMap((file) =>
          readRemarks(partText(parts, file), threads.length > 0 ? 'threadedComment' : 'comment', (tag) =>
            threads.length > 0 ? tag === 'text' : tag === 't',
          ),
        );
      return [name, comments.map(({ attributes, text }) => `${attributes['ref'] ?? ''}: ${text}`)];
    }),
  );
}
