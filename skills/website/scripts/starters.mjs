// What scaffold.mjs makes of each kind of site: the content of the page, styles, and a script. All of it works on a phone as it is.
import { dashboard } from './dashboard.mjs';
import { form } from './form.mjs';

const contact = `    <section id="contact" class="hero">
      <h2>Say hello</h2>
      <p><a class="button" href="mailto:hello@example.org">hello@example.org</a></p>
    </section>`;

const landing = {
  body: (title, end = contact) => `    <section class="hero">
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
${end}`,
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

const starters = { page, landing, dashboard, docs, form, game };

/** The starters that a kind is made of: `landing+form` is a landing page that ends with a form. */
export function partsOf(kind) {
  const names = kind === 'landing+form' ? ['landing', 'form'] : [kind];
  return names.map((name) => ({ name, ...starters[name] }));
}

export const kinds = [...Object.keys(starters), 'landing+form'];
