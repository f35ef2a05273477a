/** What browsers ask of whoever starts a script, where they know it (Trusted Types). */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): string };
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

/** The only policy of the application by which an address becomes a script: it has to be one of the files it was built with. */
const policy = trustedTypes?.createPolicy('errand-workers', { createScriptURL: checkAddress });

function checkAddress(address: string): string {
  const { origin, pathname } = new URL(address, window.location.href);
  if (origin === window.location.origin && /^\/assets\/[\w.-]+$/.test(pathname)) return address;
  throw new TypeError(`${address} is no worker of the application`);
}

/** Starts a worker of the application. @param address as the build answers it for `?worker&url` */
export function startTrustedWorker(address: string): Worker {
  return new Worker(policy ? policy.createScriptURL(address) : checkAddress(address), { type: 'module' });
}
