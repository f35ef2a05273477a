import { findNearestName } from '@errand/base/text/nearest-name.ts';
import { settings } from './settings.ts';

const prefix = 'ERRAND_';

const withoutPrefix = (name: string): string => name.slice(prefix.length);

/** A sentence for each unknown variable of the environment. */
export function findWarnings(env: Readonly<Record<string, string | undefined>>): string[] {
  const given = Object.keys(env).filter((name) => name.startsWith(prefix) && env[name]);
  return given.flatMap((name) => {
    // Those for tests are read elsewhere.
    if (Object.hasOwn(settings, name) || name.startsWith('ERRAND_TEST_')) return [];
    const nearest = findNearestName(
      withoutPrefix(name),
      Object.keys(settings)
        .filter((one) => one.startsWith(prefix))
        .map(withoutPrefix),
    );
    return [`${name} is not a setting${nearest ? `; did you mean ${prefix}${nearest}?` : ''}`];
  });
}
