import { isAbsolute, join } from 'node:path';

/** The folder for user-specific settings (XDG Base Directory Specification). */
export function findUserFolder({
  XDG_CONFIG_HOME: folder = '',
  HOME: home = '',
  USERPROFILE: profile = '',
}: Readonly<Record<string, string | undefined>>): string | null {
  if (isAbsolute(folder)) return join(folder, 'errand');
  const found = [home, profile].find(isAbsolute);
  return found === undefined ? null : join(found, '.config', 'errand');
}
