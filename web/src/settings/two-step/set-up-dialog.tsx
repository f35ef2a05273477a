import { ErrandError } from '@errand/client';
import { type SubmitEvent, useId, useState } from 'react';
import { callWeb, type WebResponse } from '../../api/web-call.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { linkClasses } from '../../ui/display/link.tsx';
import { CopyButton } from '../../ui/feedback/copy-button.tsx';
import { describeError } from '../../ui/feedback/state.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';
import { QrCode } from './qr-code.tsx';

/** A secret for an authenticator app, until its first code is entered. */
export type SetUp = Pick<WebResponse<'account.twoStepBegin'>, 'setup_id' | 'secret' | 'uri'>;

export interface SetUpDialogProps {
  setUp: SetUp;
  onDone(recoveryCodes: readonly string[]): void;
  onClose(): void;
}

/** Shows the secret as a QR code and as text, and asks for the first code of the app. */
export function SetUpDialog({ setUp: { setup_id, secret, uri }, onDone, onClose }: SetUpDialogProps) {
  const text = useText();
  const { twoStep, ui } = text;
  const formId = useId();
  const [code, setCode] = useState('');
  const confirm = useAction(() => callWeb('account.twoStepConfirm', { setup_id, code }), {
    isQuiet: true,
    onDone: ({ recovery_codes: codes }) => onDone(codes),
  });
  const { error } = confirm;
  const isWrong = error instanceof ErrandError && error.message.startsWith('code');
  const problem = error && (isWrong ? twoStep.codeWrong : describeError(error, text));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    confirm.mutate(undefined);
  };
  const actions = (
    <>
      <Button onClick={onClose}>{ui.cancel}</Button>
      <Button type="submit" form={formId} look="primary" isBusy={confirm.isPending}>
        {twoStep.turnOn}
      </Button>
    </>
  );
  const grouped = secret.match(/.{1,4}/g)?.join(' ') ?? secret;
  return (
    <Dialog isOpen onClose={onClose} title={twoStep.scan} lead={twoStep.scanLead} actions={actions}>
      <div className="flex flex-col gap-4">
        <QrCode text={uri} label={twoStep.qrCode} />
        <a href={uri} className={`${linkClasses} self-start text-sm sm:hidden`}>
          {twoStep.openApp}
        </a>
        <div>
          <p className="mb-1 text-sm text-soft">{twoStep.key}</p>
          <div className="flex items-center gap-2 rounded-md bg-hover py-1.5 pr-1.5 pl-3">
            <code aria-label={twoStep.key} className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">
              {grouped}
            </code>
            <CopyButton text={secret} isLabelled />
          </div>
        </div>
        <form id={formId} onSubmit={submit}>
          <TextField
            label={twoStep.code}
            hint={twoStep.codeHint}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={20}
            required
            value={code}
            problem={problem}
            onChange={(event) => setCode(event.target.value)}
          />
        </form>
      </div>
    </Dialog>
  );
}
