import { checkPassword } from '../../api/password-field.ts';
import { changeAccount } from '../../store/account-changes.ts';
import { createPasswordPace } from '../../store/attempts.ts';
import { findSignIn } from '../../store/account-passwords.ts';
import { listSecurityEvents } from '../../store/security-events.ts';
import { signOut } from '../../store/sessions.ts';
import { html, type Html } from '../html.ts';
import type { SessionDesk, Visitor } from '../session-desk.ts';
import { type Action, actorOfVisitor, answerSettings, beginForm, buildSettingsPage, type SettingsPage } from '../signed-in.ts';
import { renderTime } from '../time.ts';
import type { WebParts } from '../web-request.ts';

const path = '/settings';

function renderPasswordForm(visitor: Visitor): Html {
  return html`${beginForm(visitor, path, 'password')}
<label for="current">Current password</label><input id="current" name="current" type="password" autocomplete="current-password" required>
<label for="password">New password <span class="hint">at least 8 characters</span></label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required>
<label for="again">The new password again</label><input id="again" name="again" type="password" autocomplete="new-password" minlength="8" required>
<div class="row"><button>Change password</button></div></form>`;
}

async function renderRecord({ database }: WebParts, { accountId }: Visitor): Promise<Html> {
  const events = await database.run(listSecurityEvents, { accountId, beforeId: null, limit: 20 });
  const rows = events.map(({ atMs, kind, actor }) => {
    const words = kind.replaceAll('_', ' ');
    return html`<tr><td>${renderTime(atMs)}</td><td>${words}</td><td>${actor}</td></tr>`;
  });
  return html`<table><thead><tr><th>When</th><th>What</th><th>By</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** The account itself: its password, its browsers, and what has happened lately. */
export function buildAccountPage(parts: WebParts, desk: SessionDesk): SettingsPage {
  const { database, clock, passwords } = parts;
  const pace = createPasswordPace(database);
  const changePassword: Action = async (visitor, { fields }) => {
    const { current = '', password = '', again = '' } = fields;
    const { accountId, email } = visitor;
    if (password !== again) return { problem: 'The two new passwords differ.' };
    checkPassword(password);
    if ((await pace.take(accountId)) > 0) return { problem: 'There were too many attempts. Wait a while and try again.' };
    const known = await database.run(findSignIn, email);
    if (!(await passwords.verify(current, known?.hash ?? null))) return { problem: 'The current password is wrong.' };
    await pace.clear(accountId);
    const hash = await passwords.hash(password);
    const by = { sessionId: visitor.sessionId, actor: actorOfVisitor(visitor), now: clock.now() };
    await database.run(changeAccount, { accountId, locale: null, passwordHash: hash, ...by });
    return { done: 'The password is changed, and all other browsers are signed out.' };
  };
  const signOutOthers: Action = async (visitor) => {
    const choice = { exceptSessionId: visitor.sessionId };
    const by = { actor: actorOfVisitor(visitor), now: clock.now() };
    const count = await database.run(signOut, { accountId: visitor.accountId, choice, ...by });
    return { done: count === 1 ? 'One other browser is signed out.' : `${count} other browsers are signed out.` };
  };
  return buildSettingsPage(
    parts,
    desk,
    async (visitor, _request, notice) => {
      const body = html`<p>You are signed in as <strong>${visitor.email}</strong>, plan <strong>${visitor.plan}</strong>.</p>
<h2>Password</h2><div class="card">${renderPasswordForm(visitor)}</div>
<h2>Other browsers</h2><div class="card"><p>Ends the sign-in at every browser but this one.</p>${beginForm(visitor, path, 'sign-out-others')}<button class="plain">Sign out everywhere else</button></form></div>
<h2>What happened lately</h2><div class="card">${await renderRecord(parts, visitor)}</div>`;
      return answerSettings(visitor, path, { title: 'Account', notice, body });
    },
    { password: changePassword, 'sign-out-others': signOutOthers },
  );
}
