import { createRequire } from 'node:module';

/** Set by scripts/build-service.mjs. */
declare const ERRAND_BUILD_COMMIT: string | null | undefined;

/** The version of this program. */
export const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** The commit that was bundled, with `+changes` if some were not committed; null if unknown, as while sources run unbundled. */
export const commit: string | null = typeof ERRAND_BUILD_COMMIT === 'undefined' ? null : (ERRAND_BUILD_COMMIT ?? null);

/** Version and commit for people: `0.1.0 (0123456789ab)`. */
export function describeVersion(): string {
  return commit === null ? version : `${version} (${commit})`;
}
