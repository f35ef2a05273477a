// Runs before the first paint, so that a chosen theme does not flash. Everything else about themes is in src/ui/theme.ts.
(() => {
  try {
    const theme = localStorage.getItem('errand.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    const locale = localStorage.getItem('errand.locale');
    if (locale) document.documentElement.lang = locale;
  } catch {
    // Storage may be switched off; the theme is then the system's.
  }
})();
