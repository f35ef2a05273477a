/** Where browsers report policy violations. */
export const reportPath = '/web/csp.report';

/**
 * What the application's pages may load: their own files, and content from the content origin as images, audio, video, data and frames.
 * Inline scripts do not run, and nothing is loaded from elsewhere.
 */
function policy(contentOrigin: string, frames: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "style-src 'self'",
    "font-src 'self' data:",
    `img-src 'self' blob: data: ${contentOrigin}`,
    `media-src 'self' blob: ${contentOrigin}`,
    `connect-src 'self' ${contentOrigin}`,
    `frame-src ${frames}`,
    "form-action 'self'",
    "base-uri 'none'",
    // Text becomes markup or a script URL only through these two policies, which browsers enforce for the page's own code.
    "require-trusted-types-for 'script'",
    'trusted-types errand-workers errand-service-worker default',
    "frame-ancestors 'none'",
    `report-uri ${reportPath}`,
  ].join('; ');
}

/** Headers of the application's page. It contains no user data, so browsers may cache and revalidate it. */
export function webPageHeaders(contentUrl: string, previewBase: string): Record<string, string> {
  const { origin } = new URL(contentUrl);
  // A wildcard in a host is one for browsers, too.
  const frames = previewBase.startsWith(`${contentUrl}/`) ? origin : `${origin} ${previewBase}`;
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy(origin, frames),
    'cross-origin-opener-policy': 'same-origin',
    // The page itself takes dictation; frames in it do not get the microphone.
    'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    // Hosts in links that agents wrote are not resolved before someone follows them.
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
  };
}

/** Headers of the documentation: nothing is loaded from elsewhere, and no script creates markup. */
export const docsHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
    `report-uri ${reportPath}`,
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** How long browsers keep a file whose name changes with its content. */
export const lastingCache = 'public, max-age=31536000, immutable';

/** Headers of the application's files, whose names change with their content. */
export const webAssetHeaders = {
  'cache-control': lastingCache,
  'cross-origin-resource-policy': 'same-origin',
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
};

/** Headers of the service worker, which asks the service for its pages alone and must be revalidated. */
export const serviceWorkerHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
  'content-type': 'text/javascript; charset=utf-8',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * Headers of the picture of a shared task, which services that preview links fetch and show. They may keep it for some minutes after sharing
 * has ended, as they keep what the page said.
 */
export const sharePictureHeaders = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': "default-src 'none'",
  'content-type': 'image/png',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
};
