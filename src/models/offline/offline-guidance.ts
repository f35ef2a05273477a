/** The reply of offline-1 to plain language, which it does not understand: why nothing was done, and what to do about it. */
export const guidance = [
  'No language model is connected yet, so nobody has worked on this message.',
  'If you run this service, connect one in the web application under Instance → Models, or with `errand model set`; otherwise ask whoever runs it.',
].join('\n\n');
