import { Mic } from 'lucide-react';
import { useText } from '../text/locale.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { showError } from '../ui/feedback/toast.tsx';
import { useDictation } from './use-dictation.ts';

interface DictationButtonProps {
  text: string;
  setText(text: string): void;
  isDisabled: boolean;
}

/** Writes what is said into the composer; nothing where the browser cannot do that, and on phones, whose keyboards take dictation. */
export function DictationButton({ text, setText, isDisabled }: DictationButtonProps) {
  const { composer } = useText();
  const onFailed = (isRefused: boolean) => showError(new Error(isRefused ? composer.noMicrophone : composer.dictationFailed));
  const dictation = useDictation({ text, setText, onFailed });
  if (dictation === null) return null;
  const { isOn, toggle } = dictation;
  return (
    <IconButton
      label={isOn ? composer.endDictation : composer.dictate}
      aria-pressed={isOn}
      icon={<Mic aria-hidden className={isOn ? 'animate-pulse motion-reduce:animate-none' : undefined} />}
      disabled={isDisabled}
      className="max-sm:hidden"
      onClick={toggle}
    />
  );
}
