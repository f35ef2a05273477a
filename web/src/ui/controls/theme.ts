import { createBrowserChoice } from './browser-choice.ts';

export type Theme = 'system' | 'light' | 'dark';

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

const chosen = createBrowserChoice('errand.theme', readTheme, (theme) => (theme === 'system' ? null : theme));

/** Light, dark or system; stored in this browser, and applied by `theme.js` before the first paint. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  chosen.set(theme);
}

export const useTheme = chosen.useValue;
