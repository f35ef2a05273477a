import { createBrowserChoice } from './browser-choice.ts';

const singleKeys = createBrowserChoice(
  'errand.shortcuts',
  (stored) => stored !== 'off',
  (isOn) => (isOn ? 'on' : 'off'),
);

/** Whether single-key shortcuts are on. People who use dictation turn them off. */
export const areSingleKeysOn = singleKeys.get;

export const setSingleKeys = singleKeys.set;

export const useSingleKeys = singleKeys.useValue;

/**
 * Whether a key means the part of the page that has the focus, and is no shortcut: the attribute `data-own-keys` of that part says `letters`,
 * or `all` for Escape as well.
 */
export function isOwnKey({ target, key }: KeyboardEvent): boolean {
  const part = target instanceof Element ? target.closest('[data-own-keys]') : null;
  return part !== null && (key.length === 1 || part.getAttribute('data-own-keys') === 'all');
}
