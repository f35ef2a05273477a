import { z } from 'zod';
import type { BridgeChat } from '../../store/bridges/bridge-chats.ts';
import { platforms, type PlatformName } from '../../store/bridges/bridges.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** A chat linked to the account. */
export const bridgeChatObject = z.object({
  id: z.string(),
  platform: z.enum(platforms),
  title: z.string().meta({ description: 'The name of the person in the chat.' }),
  problem: z.string().nullable().meta({ description: 'Why messages cannot be sent to the chat; null if they can.' }),
  created_at: unixTime,
});

export function presentChat({ chatId, platform, title, problem, createdAtMs }: BridgeChat): z.input<typeof bridgeChatObject> {
  return { id: chatId, platform, title, problem, created_at: toUnixTime(createdAtMs) };
}

/** A bot that users can chat with. */
export const botObject = z.object({
  platform: z.enum(platforms),
  name: z.string(),
  url: z.string().nullable().meta({ description: 'Opens a chat with the bot, on platforms with such links.' }),
});

/** @param code to include in the URL, on platforms that support it */
export function presentBot({ platform, name }: { platform: PlatformName; name: string }, code: string | null) {
  const isAddressed = platform === 'telegram' && /^@\w{3,64}$/.test(name);
  const url = `https://t.me/${name.slice(1)}${code === null ? '' : `?start=${code}`}`;
  return { platform, name, url: isAddressed ? url : null };
}
