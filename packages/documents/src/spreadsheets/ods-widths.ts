import { unzipSync, zipSync } from 'fflate';

/** A table with its columns as the library writes them: one element for all. Texts contain no unescaped `<`. */
const columnsOfTable = /(<table:table [^>]*>)<table:table-column[^>]*\/>/g;

/**
 * Sets the column widths of an OpenDocument file (in characters), which the library cannot: in the default width, dates and long
 * numbers appear as `###`.
 */
export function setOdsWidths(file: Uint8Array, widths: readonly (readonly number[])[]): Uint8Array {
  const parts = unzipSync(file);
  const content = new TextDecoder().decode(parts['content.xml']);
  const used = [...new Set(widths.flat().map(Math.ceil))];
  const styles = used.map((width) => {
    const size = `<style:table-column-properties style:column-width="${(width * 0.21 + 0.1).toFixed(2)}cm"/>`;
    return `<style:style style:name="co${width}" style:family="table-column">${size}</style:style>`;
  });
  let sheet = 0;
  const sized = content
    .replace('</office:automatic-styles>', `${styles.join('')}</office:automatic-styles>`)
    .replaceAll(columnsOfTable, (_, table: string) => {
      const columns = (widths[sheet++] ?? []).map((width) => `<table:table-column table:style-name="co${Math.ceil(width)}"/>`);
      return `${table}${columns.join('')}`;
    });
  const { mimetype = new Uint8Array(), ...others } = parts;
  // The type comes first and uncompressed, so that programs recognize the file by its beginning.
  return zipSync({ mimetype: [mimetype, { level: 0 }], ...others, 'content.xml': new TextEncoder().encode(sized) });
}
