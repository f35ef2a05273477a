import { createBrowserChoice } from './browser-choice.ts';

const singleKeys = createBrowserChoice(
  'errand.shortcuts',
  (stored) => stored !== 'off',
  (isOn) => (isOn ? 'on' : 'off'),
);

/** Whether keys without ⌘ or Ctrl do something. People who speak to their computer switch that off. */
export const areSingleKeysOn = singleKeys.get;

export const setSingleKeys = singleKeys.set;

export const useSingleKeys = singleKeys.useValue;
