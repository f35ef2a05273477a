import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useText } from '../../text/locale.ts';

/** The close button of a dialog. It comes last, so that the content is focused first. */
export function DialogClose() {
  const { ui } = useText();
  return (
    <Radix.Close
      aria-label={ui.close}
      className="absolute top-3 right-3 inline-flex size-8 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink pointer-coarse:size-10"
    >
      <X aria-hidden className="size-4.5" />
    </Radix.Close>
  );
}
