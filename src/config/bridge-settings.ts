import { readSecret, readWebAddress } from './setting-readers.ts';
import { setting, WrongValue } from './setting.ts';

function readTelegramToken(text: string): string {
  if (!/^\d{3,20}:[A-Za-z0-9_-]{20,100}$/.test(text)) throw new WrongValue('must be a token of BotFather, digits:letters');
  return text;
}

function readSlackToken(beginning: string) {
  return (text: string) => {
    if (!text.startsWith(beginning) || !/^[\w-]{10,500}$/.test(text)) throw new WrongValue(`must begin with ${beginning}`);
    return text;
  };
}

function tokenSetting(about: string, example: string, read = readSecret(10)) {
  return setting<string | null>({ about, fallback: null, example, read });
}

function addressSetting(about: string, fallback: string, example: string) {
  return setting({ about, fallback, example, read: readWebAddress });
}

/** Chat platforms connected to agents. */
export const bridgeSettings = {
  ERRAND_TELEGRAM_BOT_TOKEN: tokenSetting(
    "Token of a Telegram bot, from BotFather, that connects chats to the user's main task.",
    '123456789:AAExampleExampleExampleExample',
    readTelegramToken,
  ),
  ERRAND_TELEGRAM_API_URL: addressSetting(
    'Base URL of the Telegram Bot API, for a self-hosted server.',
    'https://api.telegram.org',
    'http://localhost:8081',
  ),
  ERRAND_SLACK_BOT_TOKEN: tokenSetting(
    "Token of a Slack bot that connects chats to the user's main task.",
    'xoxb-the-token-of-the-bot',
    readSlackToken('xoxb-'),
  ),
  ERRAND_SLACK_APP_TOKEN: tokenSetting(
    'Socket Mode token of the same Slack app; required with ERRAND_SLACK_BOT_TOKEN.',
    'xapp-the-token-of-the-app',
    readSlackToken('xapp-'),
  ),
  ERRAND_SLACK_API_URL: addressSetting('Base URL of the Slack Web API.', 'https://slack.com/api', 'https://slack.com/api'),
};

type SlackTokens = Readonly<Record<'ERRAND_SLACK_BOT_TOKEN' | 'ERRAND_SLACK_APP_TOKEN', string | null>>;

/** A Slack token without the other: one sends, the other receives. Null if both or none are set. */
export function findHalfSlack(values: SlackTokens): { missing: keyof SlackTokens; given: keyof SlackTokens } | null {
  const names = ['ERRAND_SLACK_BOT_TOKEN', 'ERRAND_SLACK_APP_TOKEN'] as const;
  const missing = names.find((name) => values[name] === null);
  const given = names.find((name) => values[name] !== null);
  return missing && given ? { missing, given } : null;
}
