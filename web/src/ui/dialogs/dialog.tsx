import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../controls/button.tsx';
import { joinClasses } from '../display/class-names.ts';
import { DialogClose } from './dialog-close.tsx';
import { useFocusReturn } from './use-focus-return.ts';

export interface DialogProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  /** A sentence below the title. */
  lead?: ReactNode;
  /** Buttons at the end, the primary one last. */
  actions?: ReactNode;
  isWide?: boolean;
  /** Once the user has typed, Escape, the close button and outside clicks ask before discarding it. */
  guardsInput?: boolean;
  children?: ReactNode;
}

/** The backdrop of an overlay. The library's own writes a style element, which the page's policy forbids. */
export function Backdrop() {
  return <div aria-hidden className="fixed inset-0 z-40 bg-backdrop" />;
}

const footerClasses = 'flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3 sm:px-6';

/** Replaces the buttons: asks whether to discard the input. */
function AskDiscard({ onKeep, onDiscard }: { onKeep(): void; onDiscard(): void }) {
  const { ui } = useText();
  return (
    <footer className={footerClasses}>
      <p role="alert" className="mr-auto text-sm">
        {ui.unsaved}
      </p>
      <Button look="danger" onClick={onDiscard}>
        {ui.discard}
      </Button>
      <Button look="primary" ref={(button) => button?.focus()} onClick={onKeep}>
        {ui.keepWriting}
      </Button>
    </footer>
  );
}

/** A modal question or form. Escape, the close button and outside clicks close it; on phones it opens from the bottom. */
export function Dialog({ isOpen, onClose, title, lead, actions, isWide = false, guardsInput = false, children }: DialogProps) {
  const [isTyped, setTyped] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const focus = useFocusReturn();
  const begin = () => {
    focus.onOpenAutoFocus();
    setTyped(false);
    setAsking(false);
  };
  const close = () => (guardsInput && isTyped && !isAsking ? setAsking(true) : onClose());
  return (
    <Radix.Root open={isOpen} onOpenChange={(isNowOpen) => !isNowOpen && close()}>
      <Radix.Portal>
        <Backdrop />
        <Radix.Content
          aria-modal
          {...(lead === undefined && { 'aria-describedby': undefined })}
          onOpenAutoFocus={begin}
          onCloseAutoFocus={focus.onCloseAutoFocus}
          onInput={() => setTyped(true)}
          className={joinClasses(
            'appear fixed inset-x-0 bottom-0 z-40 flex max-h-[92dvh] flex-col rounded-t-lg bg-card shadow-float outline-none',
            'sm:inset-x-4 sm:top-[max(2rem,10dvh)] sm:bottom-auto sm:mx-auto sm:max-h-[80dvh] sm:rounded-lg',
            isWide ? 'sm:max-w-3xl' : 'sm:max-w-lg',
          )}
        >
          <header className="pt-5 pr-14 pl-5 sm:pl-6">
            <Radix.Title className="text-lg font-semibold wrap-anywhere">{title}</Radix.Title>
            {lead !== undefined && <Radix.Description className="mt-1 text-sm text-soft">{lead}</Radix.Description>}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4 sm:px-6">{children}</div>
          {isAsking ? (
            <AskDiscard onKeep={() => setAsking(false)} onDiscard={onClose} />
          ) : (
            actions !== undefined && <footer className={footerClasses}>{actions}</footer>
          )}
          <DialogClose />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
