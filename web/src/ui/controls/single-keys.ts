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
