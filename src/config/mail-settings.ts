import { readEmailSetting, readHost, readInteger } from './setting-readers.ts';
import { setting, WrongValue } from './setting.ts';

const mebibyte = 1024 * 1024;

function readDomain(text: string): string {
  const domain = text.toLowerCase();
  const isDomain = /^(?=.{1,190}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/.test(domain);
  if (!isDomain) throw new WrongValue('must be a domain without @; write international ones as xn--…');
  return domain;
}

function fileSetting(about: string, example: string) {
  return setting<string | null>({
    about,
    fallback: null,
    example,
    read(text) {
      if (/\p{Cc}/u.test(text)) throw new WrongValue('must not contain control characters');
      return text;
    },
  });
}

function readMailServer(text: string): string {
  const url = URL.parse(text);
  const isServer = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname);
  if (!isServer || url.search !== '') throw new WrongValue('must be a URL such as smtps://user:password@mail.example.com');
  return text;
}

/** How mail reaches triggers, and people. */
export const mailSettings = {
  ERRAND_SMTP_PORT: setting<number | null>({
    about:
      'Port at which mail for triggers, and replies to notifications, arrive by SMTP; 0 picks a free one. Requires ERRAND_MAIL_DOMAIN.',
    fallback: null,
    fallbackText: 'none: no mail is received',
    example: '2525',
    read: readInteger(0, 65_535),
  }),
  ERRAND_SMTP_HOST: setting<string | null>({
    about: 'Address the SMTP listener listens on.',
    fallback: null,
    fallbackText: 'ERRAND_HOST',
    example: '127.0.0.1',
    read: readHost,
  }),
  ERRAND_MAIL_DOMAIN: setting<string | null>({
    about: 'Domain of the addresses of triggers and replies; its mail must arrive at ERRAND_SMTP_PORT.',
    fallback: null,
    example: 'in.errand.example.com',
    read: readDomain,
  }),
  ERRAND_MAIL_MAX_MB: setting({
    about: 'Maximum megabytes of a mail with its attachments.',
    fallback: 25,
    example: '10',
    read: readInteger(1, 64),
  }),
  ERRAND_SMTP_TLS_CERT: fileSetting(
    'File with the certificate chain (PEM) for STARTTLS; read again when it changes.',
    '/etc/letsencrypt/live/in.errand.example.com/fullchain.pem',
  ),
  ERRAND_SMTP_TLS_KEY: fileSetting(
    'File with the private key (PEM) of that certificate.',
    '/etc/letsencrypt/live/in.errand.example.com/privkey.pem',
  ),
  ERRAND_MAIL_SERVER: setting<string | null>({
    about:
      'URL of the SMTP server that takes notifications, digests, and links for forgotten passwords, with user name and password. Requires ERRAND_MAIL_FROM.',
    fallback: null,
    fallbackText: 'none: no mail is sent',
    example: 'smtps://errand:secret@mail.example.com',
    read: readMailServer,
  }),
  ERRAND_MAIL_FROM: setting<string | null>({
    about: 'Sender address of that mail.',
    fallback: null,
    example: 'errand@example.com',
    read: readEmailSetting,
  }),
};

export interface MailSettings {
  host: string;
  port: number;
  domain: string;
  maxBytes: number;
  /** Paths; null without STARTTLS. */
  tls: { cert: string; key: string } | null;
}

interface MailValues {
  ERRAND_HOST: string;
  ERRAND_SMTP_PORT: number | null;
  ERRAND_SMTP_HOST: string | null;
  ERRAND_MAIL_DOMAIN: string | null;
  ERRAND_MAIL_MAX_MB: number;
  ERRAND_SMTP_TLS_CERT: string | null;
  ERRAND_SMTP_TLS_KEY: string | null;
  ERRAND_MAIL_SERVER: string | null;
  ERRAND_MAIL_FROM: string | null;
}

const pairs = [
  ['ERRAND_SMTP_PORT', 'ERRAND_MAIL_DOMAIN'],
  ['ERRAND_SMTP_TLS_CERT', 'ERRAND_SMTP_TLS_KEY'],
  ['ERRAND_MAIL_SERVER', 'ERRAND_MAIL_FROM'],
] as const;

/** One of two settings without the other; null if there is none. */
export function findHalfMail(values: MailValues): { missing: keyof MailValues; given: keyof MailValues } | null {
  for (const [one, other] of pairs) {
    if (values[one] !== null && values[other] === null) return { missing: other, given: one };
    if (values[other] !== null && values[one] === null) return { missing: one, given: other };
  }
  return null;
}

/** How mail is received; null if none is. */
export function readMailSettings(values: MailValues): MailSettings | null {
  const { ERRAND_SMTP_PORT: port, ERRAND_MAIL_DOMAIN: domain, ERRAND_SMTP_TLS_CERT: cert, ERRAND_SMTP_TLS_KEY: key } = values;
  if (port === null || domain === null) return null;
  const host = values.ERRAND_SMTP_HOST ?? values.ERRAND_HOST;
  const tls = cert === null || key === null ? null : Object.freeze({ cert, key });
  return Object.freeze({ host, port, domain, maxBytes: values.ERRAND_MAIL_MAX_MB * mebibyte, tls });
}
