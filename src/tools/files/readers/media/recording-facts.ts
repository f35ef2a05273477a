import { type AudioType, readAudioType } from '../../../../rules/files/audio-head.ts';
import type { Reading } from '../document-reading.ts';
import { readFlac } from './flac-facts.ts';
import type { MediaFacts } from './media-facts.ts';
import { readMp4 } from './mp4-facts.ts';
import { readAac, readMpeg } from './mpeg-facts.ts';
import { readOgg } from './ogg-facts.ts';
import { readAiff, readWav } from './wav-facts.ts';
import { readWebm } from './webm-facts.ts';

const readers: Record<AudioType, (bytes: Buffer) => MediaFacts> = {
  'audio/wav': readWav,
  'audio/aiff': readAiff,
  'audio/mpeg': readMpeg,
  'audio/aac': readAac,
  'audio/ogg': readOgg,
  'audio/flac': readFlac,
  'audio/mp4': readMp4,
  'audio/webm': readWebm,
  'audio/amr': () => ({ format: 'AMR' }),
};

/** `1:02:03 hours`, `2:03 minutes` or `4.2 seconds`. */
function describeLength(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} seconds`;
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, String(whole % 60).padStart(2, '0')];
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest} hours` : `${minutes}:${rest} minutes`;
}

function describeChannels(channels: number | undefined): string[] {
  if (channels === undefined || channels === 0) return [];
  return [channels === 1 ? 'mono' : channels === 2 ? 'stereo' : `${channels} channels`];
}

/** The facts about a recording without transcribing it. */
export function readRecording(content: Uint8Array): Reading {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  const type = readAudioType(bytes);
  const facts = type === null ? { format: 'unknown', hasPicture: true } : readers[type](bytes);
  const { format, seconds, rate, channels, width, height, hasPicture, tags = {} } = facts;
  const what = [
    `${format} ${hasPicture ? 'video' : 'audio recording'}`,
    ...(seconds === undefined ? [] : [describeLength(seconds)]),
    ...describeChannels(channels),
    ...(rate ? [`${rate / 1000} kHz`] : []),
    ...(width && height ? [`${width} × ${height} pixels`] : []),
    `${bytes.length} bytes`,
    ...Object.entries(tags).map(([name, text]) => `${name} "${text}"`),
  ];
  return { what: what.join(', '), text: '' };
}
