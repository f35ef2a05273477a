import { isOwnOrigin } from '../http/own-origin.ts';

/**
 * Whether an application may ask for tokens for this resource (RFC 8707): any URL of this instance, since its tokens are valid for all of
 * it.
 */
export function isOwnResource(resource: string, publicUrl: string): boolean {
  const url = URL.parse(resource);
  if (!url || resource.includes('#') || url.username !== '' || url.password !== '') return false;
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  return isOwnOrigin(url.origin, publicUrl) && (url.pathname === base || url.pathname.startsWith(`${base}/`));
}
