// What scaffold.mjs makes of each kind of site: the content of the page, styles, and a script. All of it works on a phone as it is.

const landing = {
  body: (title) => `    <section class="hero">
      <h1>${title}</h1>
      <p class="lead">One sentence that says what it is, for whom, and what they gain.</p>
      <p class="actions"><a class="button" href="#contact">Do the one thing</a> <a href="#how">How it works</a></p>
    </section>
    <section id="how">
      <h2>How it works</h2>
      <ol class="cards steps">
        <li><h3>First</h3><p>What the visitor does.</p></li>
        <li><h3>Second</h3><p>What happens then.</p></li>
        <li><h3>Third</h3><p>What they have in the end.</p></li>
      </ol>
    </section>
    <section class="band">
      <h2>Why it can be believed</h2>
      <dl class="figures"><div><dt>what is counted</dt><dd>000</dd></div><div><dt>since when</dt><dd>2000</dd></div><div><dt>what people say</dt><dd>0.0</dd></div></dl>
    </section>
    <section>
      <h2>Questions</h2>
      <details><summary>What does it cost?</summary><p>The answer, with a number.</p></details>
      <details><summary>Who is behind it?</summary><p>A name, a place, an address.</p></details>
    </section>
    <section id="contact" class="hero">
      <h2>Say hello</h2>
      <p><a class="button" href="mailto:hello@example.org">hello@example.org</a></p>
    </section>`,
  style: `.hero { padding-block: clamp(2.5rem, 9vw, 6rem); max-width: 44rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1rem; list-style: none; padding: 0; }
.cards > * { padding: 1.25rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); }
.steps { counter-reset: step; }
.steps > li::before { counter-increment: step; content: counter(step); font-weight: 700; color: var(--accent); }
.band { margin-inline: calc(50% - 50vw); padding: 2.5rem max(var(--space), calc(50vw - var(--width) / 2 + var(--space))); background: var(--tint); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1.5rem; margin: 0; }
.figures > div { display: flex; flex-direction: column-reverse; }
.figures dd { margin: 0; font-size: 2.4rem; font-weight: 700; line-height: 1.1; }
details { border-bottom: 1px solid var(--line); }
summary { padding: 0.9rem 0; font-weight: 600; cursor: pointer; }
`,
  script: '',
};

const dashboard = {
  body: (title) => `    <h1>${title}</h1>
    <p class="lead">What the numbers say, in one sentence. Period, source.</p>
    <dl class="figures"><div><dt>first figure</dt><dd>000</dd></div><div><dt>second figure</dt><dd>000</dd></div><div><dt>third figure</dt><dd>000</dd></div><div><dt>fourth figure</dt><dd>000</dd></div></dl>
    <section>
      <h2>The table behind it</h2>
      <p><label>Search <input id="search" type="search" autocomplete="off"></label> <span id="count" role="status"></span></p>
      <div class="scroll"><table id="table"><caption>What a row is, and its unit</caption><thead></thead><tbody></tbody></table></div>
    </section>`,
  style: `.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.8rem; }
.figures > div { display: flex; flex-direction: column-reverse; padding: 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); }
.figures dt { color: var(--soft); font-size: 0.9rem; }
.figures dd { margin: 0; font-size: 1.9rem; font-weight: 700; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: start; color: var(--soft); padding-bottom: 0.5rem; }
th, td { text-align: start; padding: 0.55rem 0.7rem; border-bottom: 1px solid var(--line); }
th button { font: inherit; font-weight: 650; background: none; border: 0; padding: 0.3rem 0; color: inherit; cursor: pointer; }
.number { text-align: end; }
`,
  script: `// The rows stand here: a page of a folder needs no server.
const columns = ['Name', 'Value'];
const rows = [['First', 12], ['Second', 30], ['Third', 7]];

const head = document.querySelector('#table thead');
const body = document.querySelector('#table tbody');
const search = document.querySelector('#search');
let order = { column: 1, sign: -1 };

function compare(a, b) {
  const [x, y] = [a[order.column], b[order.column]];
  return order.sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)));
}

function show() {
  const wanted = search.value.trim().toLowerCase();
  const shown = rows.filter((row) => row.join(' ').toLowerCase().includes(wanted)).sort(compare);
  body.replaceChildren(...shown.map((row) => {
    const line = document.createElement('tr');
    for (const value of row) {
      const cell = document.createElement('td');
      cell.textContent = typeof value === 'number' ? value.toLocaleString() : value;
      if (typeof value === 'number') cell.className = 'number';
      line.append(cell);
    }
    return line;
  }));
  document.querySelector('#count').textContent = shown.length + ' of ' + rows.length;
}

const line = document.createElement('tr');
columns.forEach((name, column) => {
  const cell = document.createElement('th');
  const button = document.createElement('button');
  button.textContent = name;
  button.addEventListener('click', () => {
    order = { column, sign: order.column === column ? -order.sign : 1 };
    show();
  });
  cell.append(button);
  line.append(cell);
});
head.append(line);
search.addEventListener('input', show);
show();
`,
};

const docs = {
  body: (title) => `    <div class="with-contents">
      <nav class="contents" aria-label="On this page"><ol><li><a href="#begin">Begin</a></li><li><a href="#use">Use it</a></li><li><a href="#mend">If it fails</a></li></ol></nav>
      <article>
        <h1>${title}</h1>
        <p class="lead">What the reader can do after this page.</p>
        <h2 id="begin">Begin</h2>
        <ol><li>What to do first.</li><li>What to do then.</li></ol>
        <pre><code>a command that can be copied</code></pre>
        <h2 id="use">Use it</h2>
        <p>What it does, with an example.</p>
        <h2 id="mend">If it fails</h2>
        <p>What is shown, why, and what helps.</p>
      </article>
    </div>`,
  style: `.with-contents { display: grid; gap: 2rem; }
.contents ol { list-style: none; margin: 0; padding: 0; }
.contents a { display: block; padding: 0.4rem 0; }
article { min-width: 0; max-width: 44rem; }
pre { overflow-x: auto; padding: 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); }
@media (min-width: 56rem) { .with-contents { grid-template-columns: 13rem minmax(0, 1fr); } .contents { position: sticky; top: 1rem; align-self: start; } }
`,
  script: '',
};

const form = {
  body: (title) => `    <h1>${title}</h1>
    <p class="lead">What the answers are for, and how long it takes.</p>
    <form id="form" novalidate>
      <p><label for="name">Name</label><input id="name" name="name" autocomplete="name" required></p>
      <p><label for="mail">Email</label><input id="mail" name="mail" type="email" autocomplete="email" required></p>
      <fieldset><legend>How many come?</legend><p><label><input type="radio" name="count" value="1" checked> One</label> <label><input type="radio" name="count" value="2"> Two</label></p></fieldset>
      <p><label for="words">Anything else</label><textarea id="words" name="words" rows="4"></textarea></p>
      <p id="problem" class="problem" role="alert"></p>
      <p><button class="button">Write the mail</button></p>
    </form>`,
  style: `form { max-width: 34rem; }
form p > label:not(:has(input)), legend { display: block; font-weight: 600; margin-bottom: 0.3rem; }
input:not([type="radio"], [type="checkbox"]), textarea, select { width: 100%; font: inherit; padding: 0.7rem; color: inherit; background: var(--raised); border: 1px solid var(--soft); border-radius: var(--radius); }
fieldset { border: 0; padding: 0; margin: 0; }
fieldset label { display: inline-flex; align-items: center; gap: 0.4rem; min-height: 44px; margin-inline-end: 1.2rem; }
[aria-invalid="true"] { border-color: #b3261e; }
.problem { color: #b3261e; font-weight: 600; }
`,
  script: `// The site has no server: the answers go into a mail that the visitor sends.
const form = document.querySelector('#form');
const to = 'hello@example.org';
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const fields = [...form.elements].filter((field) => field.willValidate);
  for (const field of fields) field.setAttribute('aria-invalid', String(!field.checkValidity()));
  const wrong = fields.find((field) => !field.checkValidity());
  document.querySelector('#problem').textContent = wrong ? wrong.labels[0].textContent.trim() + ': ' + wrong.validationMessage : '';
  if (wrong) return wrong.focus();
  const lines = [...new FormData(form)].map(([name, value]) => name + ': ' + value);
  location.href = 'mailto:' + to + '?subject=' + encodeURIComponent(document.title) + '&body=' + encodeURIComponent(lines.join('\\n'));
});
`,
};

const game = {
  body: (title) => `    <h1>${title}</h1>
    <p id="score" role="status">Press Start.</p>
    <canvas id="board" width="640" height="400" aria-label="${title}"></canvas>
    <p><button class="button" id="start">Start</button></p>
    <p class="lead">Arrow keys, or touch the left and right half of the board.</p>`,
  style: `canvas { display: block; width: 100%; max-width: 640px; aspect-ratio: 640 / 400; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); touch-action: none; }
`,
  script: `// All of the game is in one object; a frame changes it and draws it.
const board = document.querySelector('#board');
const pen = board.getContext('2d');
const score = document.querySelector('#score');
const keys = { left: false, right: false };
let game = null;

const begin = () => ({ x: 300, drop: { x: 320, y: -10, speed: 140 }, caught: 0, isOver: false, at: performance.now() });

function step(seconds) {
  const way = (keys.right ? 1 : 0) - (keys.left ? 1 : 0);
  game.x = Math.min(Math.max(game.x + way * 420 * seconds, 0), board.width - 80);
  game.drop.y += game.drop.speed * seconds;
  if (game.drop.y < board.height - 24) return;
  if (Math.abs(game.drop.x - game.x - 40) > 52) game.isOver = true;
  else game.caught += 1;
  game.drop = { x: 20 + Math.random() * (board.width - 40), y: -10, speed: 140 + game.caught * 12 };
}

function draw() {
  const style = getComputedStyle(document.documentElement);
  pen.clearRect(0, 0, board.width, board.height);
  pen.fillStyle = style.getPropertyValue('--accent');
  pen.fillRect(game.x, board.height - 18, 80, 10);
  pen.beginPath();
  pen.arc(game.drop.x, game.drop.y, 9, 0, 7);
  pen.fill();
}

function frame(now) {
  if (game.isOver) return void (score.textContent = 'Over. You caught ' + game.caught + '.');
  step(Math.min((now - game.at) / 1000, 0.05));
  game.at = now;
  draw();
  score.textContent = 'Caught: ' + game.caught;
  requestAnimationFrame(frame);
}

document.querySelector('#start').addEventListener('click', () => {
  const isRunning = game && !game.isOver;
  game = begin();
  if (!isRunning) requestAnimationFrame(frame);
});
const press = (isDown) => (event) => {
  if (event.key === 'ArrowLeft') keys.left = isDown;
  if (event.key === 'ArrowRight') keys.right = isDown;
};
addEventListener('keydown', press(true));
addEventListener('keyup', press(false));
board.addEventListener('pointerdown', (event) => {
  const isLeft = event.offsetX < board.clientWidth / 2;
  Object.assign(keys, { left: isLeft, right: !isLeft });
});
for (const end of ['pointerup', 'pointercancel', 'pointerleave']) board.addEventListener(end, () => Object.assign(keys, { left: false, right: false }));
`,
};

const page = { body: (title) => `    <h1>${title}</h1>`, style: '', script: '' };

/** By the names that --kind takes. */
export const starters = { page, landing, dashboard, docs, form, game };
