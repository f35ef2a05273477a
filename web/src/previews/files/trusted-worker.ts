/** Required for starting scripts in browsers with Trusted Types. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): string };
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

/** The application's only policy for script URLs: the URL must be one of the files of the build. */
const policy = trustedTypes?.createPolicy('errand-workers', { createScriptURL: checkAddress });

function checkAddress(address: string): string {
  const { origin, pathname } = new URL(address, window.location.href);
  if (origin === window.location.origin && /^\/assets\/[\w.-]+$/.test(pathname)) return address;
  throw new TypeError(`${address} is not a worker of the application`);
}

/** Starts a worker of the application. @param address as provided by the build for `?worker&url` */
export function startTrustedWorker(address: string): Worker {
  return new Worker(policy ? policy.createScriptURL(address) : checkAddress(address), { type: 'module' });
}
