import { useCallback, useEffect, useRef, useState } from 'react';
import { getLocale } from '../text/locale.ts';

type SpeechEvent = Event & { results: ArrayLike<ArrayLike<{ transcript: string }>> };
type ProblemEvent = Event & { error: string };

/** What is used of the speech recognition of browsers, for which TypeScript has no types. */
interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

type RecognitionClass = new () => Recognition;

function findRecognition(): RecognitionClass | null {
  const { SpeechRecognition, webkitSpeechRecognition } = window as {
    SpeechRecognition?: RecognitionClass;
    webkitSpeechRecognition?: RecognitionClass;
  };
  return SpeechRecognition ?? webkitSpeechRecognition ?? null;
}

/** Ends that need no words: nobody spoke, or the button was pressed. */
const quietErrors = new Set(['no-speech', 'aborted']);

export interface Dictation {
  isOn: boolean;
  toggle(): void;
}

export interface DictationUser {
  text: string;
  setText(text: string): void;
  /** `isRefused`: the microphone may not be used. */
  onFailed(isRefused: boolean): void;
}

/** Writes what is said behind the text; null where the browser cannot recognize speech. Ends with the page, and with a second press. */
export function useDictation({ text, setText, onFailed }: DictationUser): Dictation | null {
  const [isOn, setOn] = useState(false);
  const running = useRef<Recognition | null>(null);
  const hasResult = useRef(false);
  useEffect(() => () => running.current?.abort(), []);
  // Sent, or thrown away: the same words must not come back.
  useEffect(() => {
    if (text === '' && hasResult.current) running.current?.abort();
  }, [text]);
  const begin = (Recognizer: RecognitionClass) => {
    const recognition = new Recognizer();
    const before = text === '' || /\s$/.test(text) ? text : `${text} `;
    Object.assign(recognition, { lang: getLocale().tag, continuous: true, interimResults: true });
    hasResult.current = false;
    recognition.addEventListener('result', (event) => {
      const { results } = event as SpeechEvent;
      hasResult.current = true;
      setText(
        before +
          Array.from(results, (result) => result[0]?.transcript ?? '')
            .join('')
            .trimStart(),
      );
    });
    recognition.addEventListener('error', (event) => {
      const { error } = event as ProblemEvent;
      if (!quietErrors.has(error)) onFailed(error === 'not-allowed' || error === 'service-not-allowed');
    });
    recognition.addEventListener('end', () => {
      running.current = null;
      setOn(false);
    });
    running.current = recognition;
    setOn(true);
    recognition.start();
  };
  const stop = useCallback(() => running.current?.stop(), []);
  const recognizer = findRecognition();
  if (recognizer === null) return null;
  return { isOn, toggle: () => (isOn ? stop() : begin(recognizer)) };
}
