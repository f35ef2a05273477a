import { Fault } from '../base/fault.ts';
import { checkForm } from './form-guard.ts';
import { html, type Fragment, type Html } from './html.ts';
import { signInPath } from './next-page.ts';
import { answerPage, redirect, renderNote } from './page.ts';
import type { SessionDesk, Visitor } from './session-desk.ts';
import type { Handler, WebAnswer, WebParts, WebRequest } from './web-request.ts';

/** What a page tells first: what is wrong, or what is done. */
export type Notice = { problem: string } | { done: string } | null;

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
  return renderNote('fine', notice.done);
}

/** A page of the signed-in part. */
export function answerSignedIn(visitor: Visitor, page: { title: string; notice: Notice; body: Html }): WebAnswer {
  const { title, notice, body } = page;
  const status = notice !== null && 'problem' in notice ? 400 : 200;
  const { formToken } = visitor;
  return answerPage({ title, status, signedIn: { formToken }, body: html`<h1>${title}</h1>${renderNotice(notice)}${body}` });
}

/** The beginning of a form of the page, which says what it asks for. */
export function beginForm(visitor: Visitor, path: string, action: string): Html {
  return html`<form method="post" action="${path}"><input type="hidden" name="form_token" value="${visitor.formToken}"><input type="hidden" name="action" value="${action}">`;
}

async function perform(action: Action, visitor: Visitor, request: WebRequest): Promise<Notice | WebAnswer> {
  try {
    return await action(visitor, request);
  } catch (error) {
    if (error instanceof Fault && error.status < 500) return { problem: error.message };
    throw error;
  }
}

export interface SignedInPage {
  show: Handler;
  submit: Handler;
}

/** A page for whoever is signed in, and what its forms can ask for, by their `action`. */
export function buildSignedInPage(
  parts: WebParts,
  desk: SessionDesk,
  show: SignedInHandler,
  actions: Readonly<Record<string, Action>>,
): SignedInPage {
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
