import { scopes as allScopes } from '../../rules/access.ts';
import { type AppFields, readAppFields, readAppKind } from '../../rules/oauth-app.ts';
import type { AppKind } from '../../rules/oauth-policy.ts';
import { scopeSentences } from '../../rules/oauth-scopes.ts';
import type { OauthApp } from '../../store/oauth-apps.ts';
import { html, type Html } from '../html.ts';
import type { Fields } from '../web-request.ts';

/** What the fields of the form hold before anybody has typed: those of an application, or of none. */
type Known = Pick<OauthApp, 'name' | 'homepage' | 'redirectUris' | 'scopes' | 'kind'>;

const nothing: Known = { name: '', homepage: null, redirectUris: [], scopes: ['create_task'], kind: 'team' };

function renderScopes(known: Known): Html[] {
  return allScopes.map((scope) => {
    const isOn = known.scopes.includes(scope) && html` checked`;
    return html`<label><input type="checkbox" name="scope_${scope}" value="on"${isOn}><span><code>${scope}</code><br><span class="hint">${scopeSentences[scope]}</span></span></label>`;
  });
}

/** @param mayTrust whether its owner may make it trusted by the team */
export function renderAppFields(app: OauthApp | null, mayTrust: boolean): Html {
  const known = app ?? nothing;
  const trust =
    mayTrust &&
    known.kind !== 'trusted_public' &&
    html`<label><input type="checkbox" name="trusted" value="on"${known.kind === 'trusted_team' && html` checked`}><span>Trusted by the team<br><span class="hint">It may do everything for whoever of the team connects it, whatever is ticked above.</span></span></label>`;
  return html`<label for="name">Name</label><input id="name" name="name" required maxlength="100" value="${known.name}">
<label for="homepage">Homepage <span class="hint">if it has one</span></label><input id="homepage" name="homepage" type="url" value="${known.homepage ?? ''}">
<label for="redirect_uris">Redirect addresses <span class="hint">one a line, compared to the character</span></label>
<textarea id="redirect_uris" name="redirect_uris" required rows="3">${known.redirectUris.join('\n')}</textarea>
<fieldset><legend>What it may ask for</legend>${renderScopes(known)}${trust}</fieldset>`;
}

/** What was typed. Throws 400 `invalid_argument` naming the field. */
export function readAppForm(fields: Fields, before: OauthApp | null, mayTrust: boolean): AppFields & { kind: AppKind } {
  const isPublic = before ? before.isPublic : fields.public_client === 'on';
  const redirectUris = (fields.redirect_uris ?? '').split(/\s+/).filter((uri) => uri !== '');
  const scopes = allScopes.filter((scope) => fields[`scope_${scope}`] === 'on');
  const read = readAppFields({ name: fields.name ?? '', homepage: fields.homepage, redirectUris, scopes });
  // What the form does not offer stays as it is.
  if (!mayTrust || before?.kind === 'trusted_public') return { ...read, kind: before?.kind ?? 'team' };
  return { ...read, kind: readAppKind(fields.trusted === 'on' ? 'team' : null, isPublic) };
}
