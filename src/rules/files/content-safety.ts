/**
 * What browsers may display: formats without code that cannot be mistaken for another format. Everything else is offered for
 * download, including HTML, SVG and PDF.
 */
const shownTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'audio/mpeg',
  'audio/mp4',
  'audio/wav',
  'audio/ogg',
  'audio/flac',
  'audio/aac',
  'audio/webm',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'text/plain',
]);

/** `type/subtype` without parameters, in lower case. */
function essenceOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** A content type that is valid in a header; any other becomes the generic one. */
export function cleanContentType(contentType: string): string {
  const essence = essenceOf(contentType);
  if (!/^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,127}$/.test(essence)) return 'application/octet-stream';
  return essence.startsWith('text/') ? `${essence}; charset=utf-8` : essence;
}

/** RFC 6266: a simplified name for old clients and the full one for all others. */
export function writeDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const name = filename.toWellFormed();
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const sandbox = "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

/**
 * The headers for serving untrusted bytes: they never run with a user's privileges.
 * @param isDownload whether they are downloaded even if a browser could display them
 */
export function contentHeaders(filename: string, contentType: string, isDownload = false): Record<string, string> {
  const kind = !isDownload && shownTypes.has(essenceOf(contentType)) ? 'inline' : 'attachment';
  return {
    'content-type': cleanContentType(contentType),
    'content-disposition': writeDisposition(kind, filename),
    'content-security-policy': sandbox,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // The URL itself is the credential, without cookies: other origins may display and read its content.
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'content-disposition, content-length, content-range, etag',
  };
}

/** Headers for URLs that require a credential: content is not displayed, and other origins cannot read it. */
export function downloadHeaders(filename: string, contentType: string): Record<string, string> {
  return {
    'content-type': cleanContentType(contentType),
    'content-disposition': writeDisposition('attachment', filename),
    'content-security-policy': sandbox,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-cache',
  };
}

/**
 * A page of a site may run scripts, but in an opaque origin: it cannot access cookies, storage, files of this origin or other sites
 * on it, and it cannot leave its frame.
 */
export const siteSandbox = 'sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads allow-pointer-lock';
