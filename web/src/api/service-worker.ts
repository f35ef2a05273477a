const workerPath = '/service-worker.js';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): string };
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy('errand-service-worker', { createScriptURL: () => workerPath });

/** Has the browser run the service worker, or look for a newer one. Only where pages are served securely. */
export async function registerServiceWorker(): Promise<void> {
  await navigator.serviceWorker.register(policy?.createScriptURL(workerPath) ?? workerPath, { scope: '/' });
}
