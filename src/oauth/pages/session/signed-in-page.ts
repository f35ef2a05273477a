import { Fault } from '@errand/base/fault.ts';
import { checkForm } from './form-guard.ts';
import { html, type Fragment, type Html } from '../layout/html.ts';
import { signInPath } from './next-page.ts';
import { PageFault, sayFault } from '../layout/page-fault.ts';
import type { PageHandler, PageRequest } from './page-request.ts';
import { answerPage, redirect, renderNote } from '../layout/page-layout.ts';
import type { Visitor } from './session-service.ts';
import type { Texts } from '../layout/page-texts-en.ts';
import type { Said } from '../layout/page-texts.ts';
import type { WebAnswer, PageParts } from '../../request/web-request.ts';

/** The notice at the top of a page: a problem or a result. */
export type Notice = { problem: Said } | { done: Said } | null;

export type SignedInHandler = (visitor: Visitor, request: PageRequest, notice: Notice) => Promise<WebAnswer>;

/** A form action. Returns the notice for the page, or a redirect. */
export type Action = (visitor: Visitor, request: PageRequest) => Promise<Notice | WebAnswer>;

/** The actor of an action on a page, for the security log. */
export function actorOfVisitor({ sessionId }: Visitor): string {
  return `session:${sessionId}`;
}

function renderNotice(texts: Texts, notice: Notice): Fragment {
  if (notice === null) return null;
  if ('problem' in notice) return renderNote('wrong', notice.problem(texts));
  return renderNote('fine', notice.done(texts));
}

/** A page for signed-in users. */
export function answerSignedIn(visitor: Visitor, page: { texts: Texts; title: string; notice: Notice; body: Html }): WebAnswer {
  const { texts, title, notice, body } = page;
  const status = notice !== null && 'problem' in notice ? 400 : 200;
  const { formToken } = visitor;
  const content = html`<h1>${title}</h1>${renderNotice(texts, notice)}${body}`;
  return answerPage({ texts, title, status, signedIn: { formToken }, body: content });
}

/** The start of a form with its action. */
export function beginForm(visitor: Visitor, path: string, action: string): Html {
  return html`<form method="post" action="${path}"><input type="hidden" name="form_token" value="${visitor.formToken}"><input type="hidden" name="action" value="${action}">`;
}

async function perform(action: Action, visitor: Visitor, request: PageRequest): Promise<Notice | WebAnswer> {
  try {
    return await action(visitor, request);
  } catch (error) {
    if (error instanceof Fault && error.status < 500) return { problem: sayFault(error) };
    throw error;
  }
}

export interface SignedInPage {
  show: PageHandler;
  submit: PageHandler;
}

/** Builds a page for signed-in users and its form actions, by `action`. */
export function buildSignedInPage(
  parts: PageParts,
  show: SignedInHandler,
  actions: Readonly<Record<string, Action>>,
): SignedInPage {
  return {
    async show(request) {
      const { visitor } = request;
      const here = request.queryText === '' ? request.path : `${request.path}?${request.queryText}`;
      return visitor ? show(visitor, request, null) : redirect(signInPath(here));
    },
    async submit(request) {
      const { visitor } = request;
      if (!visitor) return redirect(signInPath(request.path));
      checkForm(request, visitor.cookie, parts.publicUrl());
      const name = request.fields.action ?? '';
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
      if (!action) throw new PageFault('invalid_argument', ({ fault }) => fault.formSilent);
      const outcome = await perform(action, visitor, request);
      return outcome !== null && 'status' in outcome ? outcome : show(visitor, request, outcome);
    },
  };
}
