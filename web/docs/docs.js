// The script of the documentation: search in an index made with the site, buttons that copy code, and the contents of wide screens.

const mostResults = 20;

/** @type {Promise<[address: string, page: string, heading: string, excerpt: string, words: string][]> | undefined} */
let loading;

/** @param {string} root */
function loadIndex(root) {
  loading ??= fetch(`${root}search.json`).then((response) => response.json());
  return loading;
}

/**
 * How well a part matches: every word has to occur, in the title, the heading, or the text.
 * @param {string[]} sought
 * @param {[string, string, string, string, string]} part
 */
function rank(sought, [, page, heading, , words]) {
  const [title, name] = [page.toLowerCase(), heading.toLowerCase()];
  let sum = 0;
  for (const word of sought) {
    const points =
      (title.includes(word) ? (heading === '' ? 8 : 2) : 0) +
      (name.includes(word) ? 5 : 0) +
      (` ${words}`.includes(` ${word}`) ? 2 : words.includes(word) ? 1 : 0);
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

/** @param {string} text */
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function showResults(form, found, query) {
  const results = document.querySelector('.results');
  const article = document.querySelector('article');
  const isSearching = query !== '';
  results.hidden = !isSearching;
  article.hidden = isSearching;
  const status = found.length === 0 ? `Nothing found for “${query}”.` : `${found.length} results for “${query}”`;
  results.querySelector('[role=status]').textContent = isSearching ? status : '';
  results.querySelector('ol').replaceChildren(
    ...found.map(([address, page, heading, excerpt]) => {
      const link = document.createElement('a');
      link.href = form.dataset.root + address;
      link.append(element('strong', heading === '' ? page : `${page} › ${heading}`), element('span', excerpt));
      // A result on this page only moves within it.
      link.addEventListener('click', () => {
        form.reset();
        showResults(form, [], '');
      });
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
}

function startSearch(form) {
  const field = form.querySelector('input');
  form.hidden = false;
  const search = async () => {
    const query = field.value.trim();
    const sought = query.toLowerCase().split(/\s+/).filter(Boolean);
    const index = sought.length === 0 ? [] : await loadIndex(form.dataset.root).catch(() => []);
    // Another letter may have been typed while the index was loading.
    if (field.value.trim() !== query) return;
    const ranked = index.map((part) => ({ part, points: rank(sought, part) })).filter(({ points }) => points > 0);
    ranked.sort((one, other) => other.points - one.points);
    showResults(
      form,
      ranked.slice(0, mostResults).map(({ part }) => part),
      query,
    );
  };
  field.addEventListener('input', () => void search());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    document.querySelector('.results a')?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable]') !== null;
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
    }
    if (event.key === 'Escape' && event.target === field) {
      form.reset();
      showResults(form, [], '');
    }
  });
}

function addCopyButtons() {
  for (const block of document.querySelectorAll('.code')) {
    const button = element('button', 'Copy');
    button.type = 'button';
    button.addEventListener('click', async () => {
      const isDone = await navigator.clipboard.writeText(block.querySelector('code').textContent).then(
        () => true,
        () => false,
      );
      button.textContent = isDone ? 'Copied' : 'Copying failed';
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
    block.append(button);
  }
}

/** The contents are open where there is room for them. */
function openContents() {
  const wide = matchMedia('(min-width: 60rem)');
  const contents = document.querySelector('.sidebar details');
  const follow = () => (contents.open = wide.matches);
  wide.addEventListener('change', follow);
  follow();
  // Only the sidebar scrolls: the page stays where the link leads.
  const current = contents.querySelector('[aria-current]');
  const bar = document.querySelector('.sidebar');
  if (current && wide.matches) bar.scrollTop = current.offsetTop - bar.clientHeight / 2;
}

openContents();
addCopyButtons();
startSearch(document.querySelector('.search'));
