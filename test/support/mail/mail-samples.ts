/** A mail in plain text. */
export function sampleMail(changes: { headers?: readonly string[]; body?: string; id?: string | null } = {}): string {
  const { headers = [], body = 'The page is blank since this morning.', id = 'one@example.com' } = changes;
  return [
    'Received: from laptop by mx.example.com; Mon, 4 Jan 2027 10:00:00 +0000',
    'From: Ann Example <Ann@example.com>',
    'To: Help <help@in.test>',
    'Subject: The page is blank',
    'Date: Mon, 4 Jan 2027 10:00:00 +0000',
    ...(id === null ? [] : [`Message-ID: <${id}>`]),
    ...headers,
    '',
    body,
  ].join('\r\n');
}

/** A mail of several parts, each with its own headers. */
export function sampleParts(parts: readonly string[], type = 'mixed'): string {
  const inner = parts.map((part) => `--limit\r\n${part}\r\n`).join('');
  return sampleMail({
    headers: ['MIME-Version: 1.0', `Content-Type: multipart/${type}; boundary=limit`],
    body: `${inner}--limit--\r\n`,
  });
}

/** A part with a file. */
export function sampleFile(name: string, content: string, type = 'text/plain'): string {
  const head = [`Content-Type: ${type}; name="${name}"`, `Content-Disposition: attachment; filename="${name}"`];
  return [...head, 'Content-Transfer-Encoding: base64', '', Buffer.from(content).toString('base64')].join('\r\n');
}
