import { isLoopbackName } from '@errand/base/net/loopback-name.ts';

/** Whether an origin is that of the service. On this machine it has several names, but no other scheme or port. */
export function isOwnOrigin(origin: string, publicUrl: string): boolean {
  const own = new URL(publicUrl);
  if (origin === own.origin) return true;
  const url = isLoopbackName(own.hostname) ? URL.parse(origin) : null;
  return url?.origin === origin && url.protocol === own.protocol && url.port === own.port && isLoopbackName(url.hostname);
}
