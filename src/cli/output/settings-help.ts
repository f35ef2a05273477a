import { describeFallback } from '../../config/setting.ts';
import { settings } from '../../config/settings.ts';

/** The settings as rows: name, description, default. */
export function listSettings(): { name: string; about: string; fallback: string }[] {
  return Object.entries(settings).map(([name, row]) => ({
    name,
    about: row.about,
    fallback: describeFallback(row),
  }));
}

/** The settings for a terminal. */
export function describeSettings(): string {
  return listSettings()
    .map(({ name, about, fallback }) => `  ${name}  (default: ${fallback})\n      ${about}`)
    .join('\n');
}
