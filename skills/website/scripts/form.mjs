// A form for a page of its own or for a landing page: a message for each field, and a panel once the answers are on their way.

const fields = `<form id="form" novalidate>
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" autocomplete="name" required data-missing="Write your name.">
        </div>
        <div class="field">
          <label for="mail">Email</label>
          <p class="hint" id="mail-hint">Only for the answer.</p>
          <input id="mail" name="mail" type="email" autocomplete="email" placeholder="name@example.org" required aria-describedby="mail-hint" data-missing="Write your email address." data-wrong="This is no email address yet: name@example.org">
        </div>
        <fieldset class="field">
          <legend>How many come?</legend>
          <div class="choices">
            <label class="choice"><input type="radio" name="count" value="1" required data-missing="Choose how many come."> One</label>
            <label class="choice"><input type="radio" name="count" value="2"> Two</label>
          </div>
        </fieldset>
        <div class="field">
          <label for="words">Anything else <span class="hint">(optional)</span></label>
          <textarea id="words" name="words" rows="4"></textarea>
        </div>
        <p class="problem" id="failed" role="alert"></p>
        <p><button class="button">Send</button></p>
      </form>
      <div id="done" class="done" tabindex="-1" hidden>
        <h2>Thank you</h2>
        <p id="next"></p>
      </div>`;

const style = `form, .done { max-width: 34rem; }
.field { margin: 0 0 1.4rem; padding: 0; border: 0; min-width: 0; scroll-margin-top: 2rem; }
.field > label, legend { display: block; padding: 0; font-weight: 600; margin-bottom: 0.3rem; }
.hint { margin: 0 0 0.3rem; color: var(--soft); font-size: 0.95rem; font-weight: 400; }
input:not([type="radio"], [type="checkbox"]), textarea, select { width: 100%; min-height: 48px; font: inherit; padding: 0.7rem; color: inherit; background: var(--raised); border: 1px solid var(--soft); border-radius: var(--radius); }
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.7rem; }
.choice { display: flex; align-items: center; gap: 0.6rem; min-height: 48px; padding: 0.6rem 0.9rem; background: var(--raised); border: 1px solid var(--soft); border-radius: var(--radius); cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choice input { width: 1.2rem; height: 1.2rem; margin: 0; accent-color: var(--accent); }
[aria-invalid="true"]:not([type="radio"], [type="checkbox"]) { border: 2px solid var(--problem); }
.problem { margin: 0.4rem 0 0; color: var(--problem); font-weight: 600; }
.problem:empty { display: none; }
.done { padding: 1.5rem; background: var(--tint); border-inline-start: 5px solid var(--accent); border-radius: var(--radius); }
.done h2 { margin: 0; }
`;

const script = `// The one place for the receiver, because a site has no server: an address of mail, or that of a form service that takes JSON by POST
// and allows pages of every origin.
const receiver = 'mailto:hello@example.org';
const texts = {
  mailed: 'Your mail program has opened with your answers: send that mail.',
  sent: 'Your answers have arrived.',
  failed: 'Your answers could not be sent. Try again in a minute; nothing you wrote is lost.',
};

const form = document.querySelector('#form');
const failed = document.querySelector('#failed');
const button = form.querySelector('button');

/** The first field of each name; radio buttons share one message. */
const checked = () => [...form.elements].filter((field) => field.willValidate && field.name && form.querySelector('[name="' + field.name + '"]') === field);

function explain(field) {
  if (field.validity.valid) return '';
  return (field.validity.valueMissing ? field.dataset.missing : field.dataset.wrong) ?? field.validationMessage;
}

/** The message of a field, which its label and screen readers lead to. */
function messageOf(field) {
  const id = field.name + '-problem';
  const known = document.getElementById(id);
  if (known) return known;
  const message = Object.assign(document.createElement('p'), { id, className: 'problem' });
  field.closest('.field').append(message);
  for (const each of form.querySelectorAll('[name="' + field.name + '"]'))
    each.setAttribute('aria-describedby', [each.getAttribute('aria-describedby'), id].filter(Boolean).join(' '));
  return message;
}

function check(field) {
  const problem = explain(field);
  messageOf(field).textContent = problem;
  for (const each of form.querySelectorAll('[name="' + field.name + '"]')) each.setAttribute('aria-invalid', String(problem !== ''));
  return problem === '';
}

/** Whether they were sent by this page; otherwise a mail was begun. */
async function send(answers) {
  if (!receiver.startsWith('mailto:')) {
    const reply = await fetch(receiver, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' }, body: JSON.stringify(answers) });
    if (!reply.ok) throw new Error('status ' + reply.status);
    return true;
  }
  const lines = Object.entries(answers).map(([name, value]) => name + ': ' + value);
  location.href = receiver + '?subject=' + encodeURIComponent(document.title) + '&body=' + encodeURIComponent(lines.join('\\r\\n'));
  return false;
}

// A message goes as soon as its field is right.
form.addEventListener('input', ({ target }) => {
  const field = checked().find(({ name }) => name === target.name);
  if (field?.getAttribute('aria-invalid') === 'true') check(field);
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  failed.textContent = '';
  const wrong = checked().filter((field) => !check(field));
  if (wrong.length > 0) {
    wrong[0].closest('.field').scrollIntoView({ block: 'start' });
    return wrong[0].focus({ preventScroll: true });
  }
  const answers = {};
  for (const [name, value] of new FormData(form)) answers[name] = name in answers ? answers[name] + ', ' + value : value;
  button.disabled = true;
  try {
    const isSent = await send(answers);
    document.querySelector('#next').textContent = isSent ? texts.sent : texts.mailed;
    form.hidden = isSent;
    const done = document.querySelector('#done');
    done.hidden = false;
    done.focus();
  } catch {
    failed.textContent = texts.failed;
  } finally {
    button.disabled = false;
  }
});
`;

export const form = {
  body: (title) => `    <h1>${title}</h1>
    <p class="lead">What the answers are for, and how long it takes.</p>
    <section>
      ${fields}
    </section>`,
  /** The end of a landing page. */
  section: `    <section id="contact">
      <h2>Sign up</h2>
      <p class="lead">What happens then, and how long it takes.</p>
      ${fields}
    </section>`,
  style,
  script,
};
