/* global offlineTexts */
// Runs on the page that the service worker shows while the service cannot be reached. The build puts both, and the texts, into the worker.
(() => {
  const firstPauseMs = 2_000;
  const longestPauseMs = 15_000;

  function readChoice(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be switched off.
      return null;
    }
  }

  const language = (readChoice('errand.locale') ?? navigator.language).toLowerCase().split('-')[0];
  const isKnown = Object.hasOwn(offlineTexts, language);
  const texts = offlineTexts[isKnown ? language : 'en'];
  const theme = readChoice('errand.theme');
  const root = document.documentElement;
  root.lang = isKnown ? language : 'en';
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const [heading, words, button] = ['h1', 'p', 'button'].map((name) => document.querySelector(name));

  function showState() {
    const { title, body } = navigator.onLine ? texts.unreachable : texts.offline;
    // What is said already is not announced again.
    if (heading.textContent === title) return;
    heading.textContent = title;
    words.textContent = body;
    document.title = `${title} · Errand`;
  }

  /** Whether something answers at this address. A redirect does, too, and shows no status. */
  async function isBack() {
    try {
      const { status } = await fetch(location.href, { method: 'HEAD', cache: 'no-store', redirect: 'manual' });
      return status < 500;
    } catch {
      return false;
    }
  }

  let pauseMs = firstPauseMs;
  let timer = 0;

  async function look() {
    clearTimeout(timer);
    showState();
    if (await isBack()) {
      location.reload();
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(look, pauseMs);
    pauseMs = Math.min(longestPauseMs, pauseMs * 1.5);
  }

  button.textContent = texts.retry;
  button.addEventListener('click', () => location.reload());
  window.addEventListener('online', look);
  window.addEventListener('offline', showState);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void look();
  });
  showState();
  timer = setTimeout(look, firstPauseMs);
})();
