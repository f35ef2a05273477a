import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../controls/button.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { showError } from './toast.tsx';

const shownMs = 2_000;

/** Pages without TLS have no clipboard API; text is copied through a selection instead. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  document.body.append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way on these pages
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

export interface CopyButtonProps {
  /** What is copied. */
  text: string;
  /** The label of the button; `Copy` by default. */
  label?: string;
  /** Shows the label next to the icon. */
  isLabelled?: boolean;
  className?: string;
  /** Called when the text is in the clipboard. */
  onCopied?(): void;
}

export function CopyButton({ text, label, isLabelled = false, className, onCopied }: CopyButtonProps) {
  const { ui } = useText();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    const isDone = await copyText(text).catch(() => false);
    if (!isDone) return showError(new Error(ui.copyFailed));
    setCopied(true);
    onCopied?.();
  };
  const shown = isCopied ? ui.copied : (label ?? ui.copy);
  const icon = isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />;
  if (!isLabelled) return <IconButton label={shown} icon={icon} onClick={() => void copy()} className={className} />;
  return (
    <Button size="small" onClick={() => void copy()} className={className} aria-live="polite">
      {icon}
      {shown}
    </Button>
  );
}
