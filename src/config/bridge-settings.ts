import { readSecret, readWebAddress } from './readers.ts';
import { setting, WrongValue } from './setting.ts';

function readTelegramToken(text: string): string {
  if (!/^\d{3,20}:[A-Za-z0-9_-]{20,100}$/.test(text)) throw new WrongValue('must be a token of BotFather, digits:letters');
  return text;
}

function tokenSetting(about: string, example: string, read = readSecret(10)) {
  return setting<string | null>({ about, fallback: null, example, read });
}

function addressSetting(about: string, fallback: string, example: string) {
  return setting({ about, fallback, example, read: readWebAddress });
}

/** Chat platforms from which people talk to their agent. */
export const bridgeSettings = {
  ERRAND_TELEGRAM_BOT_TOKEN: tokenSetting(
    "Token of a Telegram bot, from BotFather: people talk to their agent's main task through it.",
    '123456789:AAExampleExampleExampleExample',
    readTelegramToken,
  ),
  ERRAND_TELEGRAM_API_URL: addressSetting(
    'Address of the Telegram Bot API, for a server of your own.',
    'https://api.telegram.org',
    'http://localhost:8081',
  ),
};
