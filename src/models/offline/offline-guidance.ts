import { lineUsages } from './instruction-lines.ts';

/** The reply of offline-1 to anything it cannot execute: what it is, what it can do, how to set up a real model. */
export const guidance = [
  'No language model is configured, so I cannot work on this message. I am offline-1, a built-in program without any language understanding.',
  [
    'To use a language model, set ERRAND_MODEL to provider/model (openai, anthropic, google, or compatible with',
    'ERRAND_MODEL_BASE_URL) and ERRAND_MODEL_API_KEY, or start Ollama or LM Studio on this machine; then restart the service.',
  ].join(' '),
  ['Without one, I carry out lines of exactly these forms:', ...lineUsages.map((usage) => `- ${usage}`)].join('\n'),
].join('\n\n');
