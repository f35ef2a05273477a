import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mkdir, writeFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { makeInstanceOwner } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import type { Visit } from '../support/http/scriptless-browser.ts';
import { newVerifier, OauthUnderTest, password } from '../support/oauth/oauth-under-test.ts';
import { createFolder } from '../support/process/leftovers.ts';

const fonts = fileURLToPath(new URL('../../web/src/app/fonts', import.meta.url));
let webFolder: string;

/** A folder as the build leaves it, with the fonts among the files of the application. */
beforeAll(async () => {
  webFolder = createFolder('web');
  await mkdir(join(webFolder, 'assets'));
  cpSync(fonts, join(webFolder, 'assets'), { recursive: true });
  await writeFile(join(webFolder, 'index.html'), '<!doctype html>');
  await writeFile(join(webFolder, 'service-worker.js'), '');
});

type Shown = Pick<Visit, 'text' | 'headers'>;

/** The files of fonts that a page names, the one that it loads along with itself first. */
function fontsOf({ text, headers }: Shown): string[] {
  expect(headers.get('content-security-policy')).toMatch(/; font-src 'self'; /);
  expect(text).toMatch(/<body>.*<svg viewBox="0 0 32 32" aria-hidden="true">/s);
  expect(text).toMatch(/body\{[^}]*font:[^;}]* Inter,/);
  const [, loaded = ''] = /<link rel="preload" as="font" type="font\/woff2" crossorigin href="([^"]*)">/.exec(text) ?? [];
  const named = [...text.matchAll(/font-display:optional;src:url\(([^)]*)\)/g)].map(([, url = '']) => url);
  expect(named).toContain(loaded);
  return [loaded, ...named.filter((url) => url !== loaded)];
}

it('a file of a font is named after its content, because browsers keep it', () => {
  for (const name of readdirSync(fonts)) {
    const hash = createHash('sha256')
      .update(readFileSync(join(fonts, name)))
      .digest('hex')
      .slice(0, 8);
    expect(name).toMatch(new RegExp(`^inter-[a-z-]+-${hash}\\.woff2$`));
  }
});

describeStores('pages without JavaScript', (store) => {
  it('are set in the typeface of the application, with the mark, for visitors and for people who are signed in', async () => {
    await using oauth = await OauthUnderTest.start(store.database, { webFolder });
    const { challenge } = newVerifier();
    const app = await oauth.addApp();
    const [visitor, person] = [oauth.browser(), oauth.browser()];
    await person.signIn(oauth.email, password);
    const missing = async (path: string): Promise<Shown> => {
      const answer = await fetch(oauth.url + path, { headers: { accept: 'text/html' } });
      const text = await answer.text();
      expect(answer.status).toBe(404);
      expect(text).toMatch(/<svg class="sheets".*<h1>.*<a class="button" href="\/">/s);
      return { text, headers: answer.headers };
    };
    const reference = await oauth.api.fetch('/reference', {}, { key: null });
    await makeInstanceOwner(store, oauth.api.owner.accountId);
    await person.call('team.create', { name: 'Research' });
    const { token } = (await person.call('team.invite', { email: 'typeface@example.org', role: 'admin' })).body;
    const invitation = encodeURIComponent(`/team/accept?token=${String(token)}`);
    const pages: Shown[] = [
      await visitor.open('/sign-in'),
      await visitor.send('/sign-in/forgot'),
      await visitor.send('/sign-in/password'),
      await visitor.open(`/sign-in?next=${invitation}`),
      await visitor.send(oauth.authorizePath(app, challenge, { client_id: 'nobody' })),
      await missing('/nothing-here'),
      { text: await reference.text(), headers: reference.headers },
      await person.open('/device'),
      await person.open(oauth.authorizePath(app, challenge)),
      await person.send('/sign-in/password'),
    ];
    const named = pages.map(fontsOf);
    const files = readdirSync(fonts).map((name) => `/assets/${name}`);
    for (const names of named) {
      expect(names[0]).not.toContain('latin-ext');
      expect(names.toSorted()).toEqual(files.toSorted());
    }
    for (const url of files) {
      const font = await oauth.api.fetch(url, {}, { key: null });
      expect([url, font.status, font.headers.get('content-type')]).toEqual([url, 200, 'font/woff2']);
      expect(font.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(font.headers.get('set-cookie')).toBe(null);
    }
  });
});
