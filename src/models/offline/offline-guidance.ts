import { lineUsages } from './instruction-lines.ts';

/** What offline-1 answers to everything it cannot carry out: who it is, what it can do, how to get a real model. */
export const guidance = [
  'No language model is configured, so I cannot work on this message. I am offline-1, a built-in program without any language understanding.',
  [
    'To use a language model, set ERRAND_MODEL to provider/model (openai, anthropic, google, or compatible with',
    'ERRAND_MODEL_BASE_URL) and ERRAND_MODEL_API_KEY, or start Ollama or LM Studio on this machine; then restart the service.',
  ].join(' '),
  ['Without one, I carry out lines of exactly these forms:', ...lineUsages.map((usage) => `- ${usage}`)].join('\n'),
].join('\n\n');
