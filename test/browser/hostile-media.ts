import type { SampleFile } from './web-under-test.ts';

const file = (filename: string, content: string | Uint8Array): SampleFile => ({
  filename,
  type: 'application/octet-stream',
  content,
});

const inPdf = (text: string) => `(${text.replaceAll(/[()\\]/g, String.raw`\$&`)})`;

/** A PDF that tries to act when it is opened, clicked, printed and read: title, outline, links, form fields. */
function makeHostilePdf(payloads: readonly string[], trap: string): string {
  const text = inPdf(payloads.slice(0, 6).join(' '));
  const script = `<< /S /JavaScript /JS (app.alert\\('xss'\\); this.submitForm\\('${trap}/pdf'\\);) >>`;
  const link = (action: string) => `<< /Type /Annot /Subtype /Link /Rect [0 0 300 200] /A ${action} >>`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R /OpenAction ${script} /AA << /WC ${script} >> /AcroForm << /Fields [6 0 R] /XFA (<script>alert(1)</script>) >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> /Annots [${link(script)} ${link("<< /S /URI /URI (javascript:alert\\('xss'\\)) >>")} ${link(`<< /S /Launch /F (${trap}/launch) >>`)} << /Type /Annot /Subtype /FreeText /Rect [0 0 99 99] /Contents ${text} /T ${text} >> 6 0 R] >>`,
    `<< /Length ${40 + text.length} >>\nstream\nBT /F 8 Tf 10 100 Td ${text} Tj ET\nendstream`,
    `<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>`,
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T ${text} /V ${text} /Rect [10 10 200 40] /AA << /K ${script} /F ${script} >> >>`,
    `<< /Title ${text} /Parent 5 0 R /A ${script} >>`,
    `<< /Title ${text} /Author ${text} >>`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return `%PDF-1.7\n${body}trailer << /Root 1 0 R /Info 8 0 R /Size 9 >>\n%%EOF`;
}

/** The beginning of an MP3 file whose tags are markup. */
function makeTaggedSound(payloads: readonly string[]): Buffer {
  const frame = (id: string, text: string) => {
    const body = Buffer.concat([Buffer.of(3), Buffer.from(text)]);
    const head = Buffer.alloc(10);
    head.write(id);
    head.writeUInt32BE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  const frames = Buffer.concat(['TIT2', 'TPE1', 'TALB', 'COMM'].map((id, at) => frame(id, payloads[at] ?? '')));
  const size = [21, 14, 7, 0].map((bits) => (frames.length >> bits) & 0x7f);
  return Buffer.concat([Buffer.from('ID3'), Buffer.of(3, 0, 0, ...size), frames, Buffer.alloc(2000, 0xff)]);
}

/** Pictures, sound and pages that attack by what they say of themselves. */
export function makeHostileMedia(payloads: readonly string[], trap: string): SampleFile[] {
  const inside = payloads.slice(0, 20).join('');
  const svg = (body: string, attributes = 'width="90" height="90"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`;
  return [
    file('hostile.pdf', makeHostilePdf(payloads, trap)),
    file('hostile.mp3', makeTaggedSound(payloads)),
    file(
      'hostile.svg',
      svg(
        `<script>alert('xss')</script><image href="${trap}/svg"/><use href="${trap}/use#a"/><a href="javascript:alert('xss')"><rect width="90" height="90"/></a><style>@import "${trap}/style";</style>`,
      ),
    ),
    file(
      'foreign.svg',
      svg(
        `<foreignObject width="90" height="90"><body xmlns="http://www.w3.org/1999/xhtml" onload="alert('xss')"><iframe src="${trap}/frame"></iframe><img src="x" onerror="alert('xss')"/></body></foreignObject><set attributeName="href" onbegin="alert('xss')" to="x"/>`,
      ),
    ),
    file('huge.svg', svg('<rect width="100%" height="100%"/>', 'width="1000000000" height="1000000000" viewBox="0 0 10 10"')),
    file('page.xhtml', `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>page</p><script>alert('xss')</script></body></html>`),
    file(
      'frames.html',
      `<!doctype html><frameset cols="50%,50%"><frame src="${trap}/a"><frame src="javascript:alert('xss')"></frameset>`,
    ),
    file('deep.html', `<!doctype html>${'<div>'.repeat(20_000)}deep`),
    file('hostile.ipynb', JSON.stringify({ cells: [{ cell_type: 'markdown', source: [inside] }], metadata: { title: inside } })),
    file('__proto__.json', '{"__proto__":{"polluted":"<img src=x onerror=alert(1)>"},"constructor":{"prototype":{"a":1}}}'),
  ];
}
