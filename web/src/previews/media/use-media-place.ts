import { type SyntheticEvent, useState } from 'react';

/** Positions at which media stopped because their URL expired, by the file's part of the URL. Seconds. */
const places = new Map<string, number>();

const pathOf = (url: string) => new URL(url).pathname;

/**
 * Resumes a video or recording whose URL expired during playback: requests a new URL once, silently, and continues at the same
 * position.
 */
export function useMediaPlace(url: string, onRefresh: (() => unknown) | undefined) {
  const [failedUrl, setFailedUrl] = useState('');
  const onError = ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
    const hasPlayed = currentTarget.currentTime > 0 && !places.has(pathOf(url));
    if (hasPlayed) places.set(pathOf(url), currentTarget.currentTime);
    if (hasPlayed && onRefresh) onRefresh();
    else setFailedUrl(url);
  };
  const onLoadedMetadata = ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
    const place = places.get(pathOf(url));
    places.delete(pathOf(url));
    if (place !== undefined) currentTarget.currentTime = place;
  };
  return { hasFailed: failedUrl === url, events: { onError, onLoadedMetadata } };
}
