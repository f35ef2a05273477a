export const examples = {
  recorded: 'Recorded',
  play: 'Play',
  pause: 'Pause',
  note: 'This is a recording of a finished task. Nothing is running.',
  reuse: 'Use this request',
};
