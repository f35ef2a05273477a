// The script of the documentation: search in an index made with the site, buttons that copy code, and the contents of wide screens.

const mostResults = 20;
const copiedMs = 2000;

/** A part of a page; an empty heading for its beginning. */
type Part = [address: string, page: string, heading: string, excerpt: string, words: string];

let loading: Promise<Part[]> | null = null;

async function fetchIndex(root: string): Promise<Part[]> {
  const response = await fetch(`${root}search.json`);
  return (await response.json()) as Part[];
}

/** How well a part matches: every word has to occur, in the title, the heading, or the text. */
function rank(sought: readonly string[], [, page, heading, , words]: Part): number {
  const [title, name] = [page.toLowerCase(), heading.toLowerCase()];
  let sum = 0;
  for (const word of sought) {
    const inTitle = title.includes(word) ? (heading === '' ? 8 : 2) : 0;
    const inText = ` ${words}`.includes(` ${word}`) ? 2 : words.includes(word) ? 1 : 0;
    const points = inTitle + (name.includes(word) ? 5 : 0) + inText;
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

function createElement<Name extends keyof HTMLElementTagNameMap>(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** The search field and the list of what it found. */
class Search {
  readonly #form: HTMLFormElement;
  readonly #field: HTMLInputElement;
  readonly #results: HTMLElement;
  readonly #root: string;

  constructor(form: HTMLFormElement, field: HTMLInputElement, results: HTMLElement) {
    this.#form = form;
    this.#field = field;
    this.#results = results;
    this.#root = form.dataset['root'] ?? './';
  }

  start(): void {
    this.#form.hidden = false;
    this.#field.addEventListener('input', () => void this.#search());
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#results.querySelector('a')?.focus();
    });
    document.addEventListener('keydown', (event) => this.#press(event));
  }

  #press(event: KeyboardEvent): void {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (key === 'Escape' && target === this.#field) this.#clear();
    const isTyping = target instanceof HTMLInputElement;
    if (key !== '/' || isTyping || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    this.#field.focus();
  }

  #clear(): void {
    this.#form.reset();
    this.#show([], '');
  }

  async #search(): Promise<void> {
    const query = this.#field.value.trim();
    const sought = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (sought.length > 0) loading ??= fetchIndex(this.#root);
    const index = (await loading?.catch(() => null)) ?? [];
    // Another letter may have been typed while the index was loading.
    if (this.#field.value.trim() !== query) return;
    const ranked = index.map((part) => ({ part, points: rank(sought, part) })).filter(({ points }) => points > 0);
    ranked.sort((one, other) => other.points - one.points);
    this.#show(
      ranked.map(({ part }) => part),
      query,
    );
  }

  #show(found: readonly Part[], query: string): void {
    const isSearching = query !== '';
    this.#results.hidden = !isSearching;
    document.querySelector('article')?.toggleAttribute('hidden', isSearching);
    const status = found.length === 0 ? `Nothing found for “${query}”.` : `${found.length} results for “${query}”`;
    this.#results.querySelector('[role=status]')?.replaceChildren(isSearching ? status : '');
    this.#results.querySelector('ol')?.replaceChildren(...found.slice(0, mostResults).map((part) => this.#renderPart(part)));
  }

  #renderPart([address, page, heading, excerpt]: Part): HTMLElement {
    const link = document.createElement('a');
    link.href = this.#root + address;
    link.append(createElement('strong', heading === '' ? page : `${page} › ${heading}`), createElement('span', excerpt));
    // A result on this page only moves within it.
    link.addEventListener('click', () => this.#clear());
    const item = document.createElement('li');
    item.append(link);
    return item;
  }
}

function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = createElement('button', 'Copy');
    button.type = 'button';
    const copy = async () => {
      const text = block.querySelector('code')?.textContent ?? '';
      const isDone = await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      );
      button.textContent = isDone ? 'Copied' : 'Copying failed';
      setTimeout(() => button.replaceChildren('Copy'), copiedMs);
    };
    button.addEventListener('click', () => void copy());
    block.append(button);
  }
}

/** The contents are open where there is room for them. */
function openContents(bar: HTMLElement, contents: HTMLDetailsElement): void {
  const wide = matchMedia('(min-width: 60rem)');
  const follow = () => {
    contents.open = wide.matches;
  };
  wide.addEventListener('change', follow);
  follow();
  // Only the sidebar scrolls: the page stays where the link leads.
  const current = contents.querySelector<HTMLElement>('[aria-current]');
  if (current && wide.matches) bar.scrollTop = current.offsetTop - bar.clientHeight / 2;
}

const bar = document.querySelector<HTMLElement>('.sidebar');
const contents = document.querySelector('details');
if (bar && contents) openContents(bar, contents);
addCopyButtons();
const form = document.querySelector<HTMLFormElement>('form.search');
const field = document.querySelector<HTMLInputElement>('.search input');
const results = document.querySelector<HTMLElement>('.results');
if (form && field && results) new Search(form, field, results).start();
