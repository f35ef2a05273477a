import { findNearestName } from '@errand/base/text/nearest-name.ts';
import { type SettingName, settings } from './settings.ts';

const prefix = 'ERRAND_';

const withoutPrefix = (name: string): string => name.slice(prefix.length);

/** A sentence for each unknown variable of the environment, and for each that has no effect in this version. */
export function findWarnings(env: Readonly<Record<string, string | undefined>>): string[] {
  const given = Object.keys(env).filter((name) => name.startsWith(prefix) && env[name]);
  return given.flatMap((name) => {
    if (Object.hasOwn(settings, name)) {
      return settings[name as SettingName].isPending ? [`${name} has no effect in this version`] : [];
    }
    // Read by tests.
    if (name.startsWith('ERRAND_TEST_')) return [];
    const nearest = findNearestName(
      withoutPrefix(name),
      Object.keys(settings)
        .filter((one) => one.startsWith(prefix))
        .map(withoutPrefix),
    );
    return [`${name} is not a setting${nearest ? `; did you mean ${prefix}${nearest}?` : ''}`];
  });
}
