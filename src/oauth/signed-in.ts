import { Fault } from '../base/fault.ts';
import { checkForm } from './form-guard.ts';
import { html, type Fragment, type Html } from './html.ts';
import { signInPath } from './next-page.ts';
import { answerPage, redirect, renderNote } from './page.ts';
import type { SessionDesk, Visitor } from './session-desk.ts';
import type { Handler, WebAnswer, WebParts, WebRequest } from './web-request.ts';

/** What a page tells first: what is wrong, what is done, or a secret that is shown once. */
export type Notice = { problem: string } | { done: string } | { secret: string; about: string } | null;

export type SignedInHandler = (visitor: Visitor, request: WebRequest, notice: Notice) => Promise<WebAnswer>;

/** What a form asks for. It answers what the page then tells, or leads elsewhere. */
export type Action = (visitor: Visitor, request: WebRequest) => Promise<Notice | WebAnswer>;

/** Who does something on a page, for the record. */
export function actorOfVisitor({ sessionId }: Visitor): string {
  return `session:${sessionId}`;
}

function renderNotice(notice: Notice): Fragment {
  if (notice === null) return null;
  if ('problem' in notice) return renderNote('wrong', notice.problem);
  if ('done' in notice) return renderNote('fine', notice.done);
  return html`<div class="note" role="status"><p>${notice.about} <strong>It is shown only now.</strong></p><code class="secret">${notice.secret}</code></div>`;
}

/** A page of the signed-in part. */
export function answerSettings(visitor: Visitor, path: string, page: { title: string; notice: Notice; body: Html }): WebAnswer {
  const { title, notice, body } = page;
  const status = notice !== null && 'problem' in notice ? 400 : 200;
  const signedIn = { path, formToken: visitor.formToken };
  return answerPage({ title, status, signedIn, body: html`<h1>${title}</h1>${renderNotice(notice)}${body}` });
}

/** The beginning of a form of the page, which says what it asks for. */
export function beginForm(visitor: Visitor, path: string, action: string): Html {
  return html`<form method="post" action="${path}"><input type="hidden" name="form_token" value="${visitor.formToken}"><input type="hidden" name="action" value="${action}">`;
}

/** A form that is one button, for one thing of a list. */
export function renderButton(
  visitor: Visitor,
  path: string,
  button: { action: string; id: string; name: string; label: string },
): Html {
  const { action, id, name, label } = button;
  return html`${beginForm(visitor, path, action)}<input type="hidden" name="id" value="${id}"><button class="link" aria-label="${label}">${name}</button></form>`;
}

async function perform(action: Action, visitor: Visitor, request: WebRequest): Promise<Notice | WebAnswer> {
  try {
    return await action(visitor, request);
  } catch (error) {
    if (error instanceof Fault && error.status < 500) return { problem: error.message };
    throw error;
  }
}

export interface SettingsPage {
  show: Handler;
  submit: Handler;
}

/** A page for whoever is signed in, and what its forms can ask for, by their `action`. */
export function buildSettingsPage(
  parts: WebParts,
  desk: SessionDesk,
  show: SignedInHandler,
  actions: Readonly<Record<string, Action>>,
): SettingsPage {
  return {
    async show(request) {
      const visitor = await desk.find(request);
      const here = request.queryText === '' ? request.path : `${request.path}?${request.queryText}`;
      return visitor ? show(visitor, request, null) : redirect(signInPath(here));
    },
    async submit(request) {
      const visitor = await desk.find(request);
      if (!visitor) return redirect(signInPath(request.path));
      checkForm(request, visitor.cookie, parts.publicUrl());
      const name = request.fields.action ?? '';
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
      if (!action) throw new Fault('invalid_argument', 'The form does not say what to do.');
      const outcome = await perform(action, visitor, request);
      return outcome !== null && 'status' in outcome ? outcome : show(visitor, request, outcome);
    },
  };
}
