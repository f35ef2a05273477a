import type { WebResponse } from '../api/web-call.ts';

type Platform = WebResponse<'bridge.list'>['data'][number]['platform'];

/** Names that are the same in every language. */
export const platformNames: Record<Platform, string> = { telegram: 'Telegram', slack: 'Slack' };
