/** Where browsers report policy violations. */
export const reportPath = '/web/csp.report';

/**
 * What the pages of the application may load: their own files, and what people and agents made from the content origin, as
 * pictures, sound, film, data and in frames. Inline scripts do not run, and nothing is loaded from elsewhere.
 */
function policy(contentOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "font-src 'self' data:",
    `img-src 'self' blob: data: ${contentOrigin}`,
    `media-src 'self' blob: ${contentOrigin}`,
    `connect-src 'self' ${contentOrigin}`,
    `frame-src ${contentOrigin}`,
    "form-action 'self'",
    "base-uri 'none'",
    // Text becomes markup or the address of a script nowhere but where these two say so, which browsers enforce in the page's own code.
    "require-trusted-types-for 'script'",
    'trusted-types errand-workers default',
    "frame-ancestors 'none'",
    `report-uri ${reportPath}`,
  ].join('; ');
}

/** On the page of the application. It has nothing of anybody in it, so browsers may keep it and ask whether it has changed. */
export function webPageHeaders(contentUrl: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy(new URL(contentUrl).origin),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    // Hosts in links that agents wrote are not resolved before someone follows them.
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
  };
}

/** On its files, whose names change with their content. */
export const webAssetHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
};
