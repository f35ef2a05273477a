import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { Bridge, type BridgeParts } from './bridge.ts';
import type { ChatPlatform } from '../platform/chat-platform.ts';
import { Slack, type SlackParts } from '../slack/slack.ts';
import { Telegram, type TelegramParts } from '../telegram/telegram.ts';

/** The configuration of each platform; null if not configured. */
export interface PlatformSettings {
  telegram: Omit<TelegramParts, 'clock' | 'log'> | null;
  slack: Omit<SlackParts, 'clock' | 'log'> | null;
}

export function openPlatforms({ telegram, slack }: PlatformSettings, own: { clock: Clock; log: Log }): ChatPlatform[] {
  return [
    ...(telegram === null ? [] : [new Telegram({ ...own, ...telegram })]),
    ...(slack === null ? [] : [new Slack({ ...own, ...slack })]),
  ];
}

/** A bridge for each platform that is configured. */
export function openBridges(settings: PlatformSettings, parts: Omit<BridgeParts, 'platform'>): Bridge[] {
  return openPlatforms(settings, parts).map((platform) => new Bridge({ ...parts, platform }));
}
