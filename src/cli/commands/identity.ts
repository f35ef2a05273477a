import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { requireOption } from '../input/options.ts';
import { formatTime, reportRows } from '../output/print.ts';
import { defineRequest } from './request-command.ts';

const list = defineRequest('identity list', 'identity.list', {
  summary: 'List the OpenID Connect identities that sign in to an account.',
  examples: [['identity list --account ann@example.com', 'issuer, subject and e-mail address']],
  report: reportRows('no linked identities', {
    ISSUER: ({ issuer }) => cleanLine(issuer, 120),
    SUBJECT: ({ subject }) => cleanLine(subject, 120),
    'E-MAIL': ({ email }) => cleanLine(email ?? '', 120),
    'LAST USED (UTC)': ({ last_used_at }) => formatTime(last_used_at),
  }),
});

const link = defineRequest('identity link', 'identity.link', {
  summary: 'Let an OpenID Connect identity sign in to an account.',
  options: {
    subject: { type: 'string', value: 'SUB', about: 'Subject (the sub claim) of the identity at its provider.' },
    issuer: { type: 'string', value: 'URL', about: 'Issuer of the provider (default: ERRAND_OIDC_ISSUER of the service).' },
  },
  examples: [['identity link --account ann@example.com --subject 248289761001', 'for a provider without verified addresses']],
  input: ({ options }) => ({ subject: requireOption(options, 'subject'), issuer: options.issuer }),
  report: ({ issuer }) => ({ notes: [`linked with ${issuer}`] }),
});

const unlink = defineRequest('identity unlink', 'identity.unlink', {
  summary: 'Unlink an OpenID Connect identity from an account.',
  args: { ISSUER: 'Issuer of the provider, as shown by identity list.' },
  details: 'The next identity that signs in with the verified address of the account is linked to it.',
  examples: [['identity unlink https://login.example.com --account ann@example.com', 'before Ann changes providers']],
  report: () => ({ notes: ['unlinked; open sessions stay open (errand account sign-out ends them)'] }),
});

/** `errand identity …` */
export const identityCommands = [list, link, unlink];
