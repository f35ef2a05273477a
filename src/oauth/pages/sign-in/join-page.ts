import { newId } from '@errand/base/ids.ts';
import { networkOf } from '@errand/base/net/address-block.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { createInvitedAccount, findNewcomer, type Newcomer } from '../../../store/accounts/invited/invited-accounts.ts';
import { html } from '../layout/html.ts';
import { PageFault } from '../layout/page-fault.ts';
import { answerPage, redirect, renderNote } from '../layout/page-layout.ts';
import type { Said } from '../layout/page-texts.ts';
import { checkForm, formTokenOf } from '../session/form-guard.ts';
import type { PageHandler, PageRequest } from '../session/page-request.ts';
import type { SessionService } from '../session/session-service.ts';
import { checkNewPassword } from './new-password.ts';
import type { PageParts, WebAnswer } from '../../request/web-request.ts';

const joinPath = '/sign-in/join';

/** Where the web application lets signed-in users accept an invitation, with its token. */
const acceptForm = /^\/team\/accept\?token=([0-9A-Za-z]{43})$/;

/** The newcomer whose invitation a token belongs to; null where nobody can make an account by it. */
async function find({ database, clock, signIn }: PageParts, token: string): Promise<Newcomer | null> {
  if (!signIn.acceptsPasswords || !/^[0-9A-Za-z]{43}$/.test(token)) return null;
  return database.run(findNewcomer, { digest: digestSecret(token), now: clock.now() });
}

/** The page that makes the account of whoever wants to accept an invitation and has none; null for everybody else. */
export async function findJoinPage(parts: PageParts, next: string): Promise<string | null> {
  const [, token = ''] = acceptForm.exec(next) ?? [];
  return (await find(parts, token)) ? `${joinPath}?token=${token}` : null;
}

interface Shown {
  token: string;
  newcomer: Newcomer;
  problem?: Said;
}

function show(sessions: SessionService, request: PageRequest, { token, newcomer, problem }: Shown): WebAnswer {
  const { texts } = request;
  const words = texts.join;
  const { secret, setCookie } = sessions.anonymousSecret(request);
  const { email, team } = newcomer;
  const body = html`<div class="card"><h1>${words.title(team)}</h1><p class="soft">${words.lead}</p>${problem && renderNote('wrong', problem(texts))}
<form method="post" action="${joinPath}"><input type="hidden" name="form_token" value="${formTokenOf(secret)}"><input type="hidden" name="token" value="${token}">
<label for="email">${words.email}</label>
<input id="email" type="email" autocomplete="username" readonly value="${email}">
<label for="password">${words.password} <span class="hint">${texts.password.hint}</span></label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required autofocus>
<label for="again">${words.again}</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="8" required>
<div class="row"><button>${words.submit}</button></div></form></div>`;
  const status = problem === undefined ? 200 : 400;
  return answerPage({ texts, title: words.title(team), body, status, headers: { 'set-cookie': setCookie } });
}

/** `/sign-in/join`: makes an account by an invitation. Looking at the page uses nothing up. */
export function buildJoinPage(parts: PageParts, sessions: SessionService): { show: PageHandler; submit: PageHandler } {
  const { database, clock, passwords } = parts;
  const gone = () => new PageFault('not_found', ({ join }) => join.gone);
  const open = async (token = ''): Promise<Newcomer> => {
    const newcomer = await find(parts, token);
    if (!newcomer) throw gone();
    return newcomer;
  };
  return {
    async show(request) {
      const { token = '' } = request.query;
      return show(sessions, request, { token, newcomer: await open(token) });
    },
    async submit(request) {
      checkForm(request, sessions.jar.read(request.headers.cookie, 'errand_form'), parts.publicUrl());
      const { token = '', password = '', again = '' } = request.fields;
      const newcomer = await open(token);
      const problem = checkNewPassword(password, again);
      if (problem) return show(sessions, request, { token, newcomer, problem });
      const hash = await passwords.hash(password, networkOf(request.remoteAddress));
      const now = clock.now();
      const newAccountId = newId(now);
      const made = { digest: digestSecret(token), newAccountId, hash, locale: request.texts.tag, now };
      if (!(await database.run(createInvitedAccount, made))) throw gone();
      return redirect('/', { 'set-cookie': await sessions.begin(request, newAccountId) });
    },
  };
}
