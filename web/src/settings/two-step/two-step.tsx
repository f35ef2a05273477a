import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/query-keys.ts';
import { twoStepQuery } from '../../api/settings-queries.ts';
import { callWeb } from '../../api/web-call.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Card, Section } from '../../ui/display/card.tsx';
import { SkeletonList } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { type SetUp, SetUpDialog } from './set-up-dialog.tsx';

/** With this many codes left or fewer, the page advises making new ones. */
const few = 3;

/** The dialog that is open, with what it is about. */
type Step = { name: 'begin' | 'off' | 'renew' } | { name: 'scan'; setUp: SetUp } | { name: 'codes'; codes: readonly string[] };

function Dialogs({ step, onStep }: { step: Step; onStep(step: Step | null): void }) {
  const { twoStep } = useText();
  const client = useQueryClient();
  const refresh = () => {
    for (const queryKey of [keys.twoStep, keys.activity]) void client.invalidateQueries({ queryKey });
  };
  const close = () => onStep(null);
  const showCodes = (codes: readonly string[]) => {
    refresh();
    onStep({ name: 'codes', codes });
  };
  switch (step.name) {
    case 'begin':
      return (
        <PasswordDialog
          title={twoStep.askOn}
          lead={twoStep.askOnLead}
          confirmLabel={twoStep.continue}
          act={(password) => callWeb('account.twoStepBegin', { password })}
          onDone={(setUp) => onStep({ name: 'scan', setUp })}
          onClose={close}
        />
      );
    case 'scan':
      return <SetUpDialog setUp={step.setUp} onDone={showCodes} onClose={close} />;
    case 'codes':
      return <RecoveryCodes codes={step.codes} onClose={close} />;
    case 'renew':
      return (
        <PasswordDialog
          title={twoStep.askCodes}
          lead={twoStep.askCodesLead}
          confirmLabel={twoStep.continue}
          act={(password) => callWeb('account.twoStepCodes', { password })}
          onDone={({ recovery_codes: codes }) => showCodes(codes)}
          onClose={close}
        />
      );
    case 'off':
      return (
        <PasswordDialog
          title={twoStep.askOff}
          lead={twoStep.askOffLead}
          confirmLabel={twoStep.turnOff}
          isDangerous
          act={(password) => callWeb('account.twoStepOff', { password })}
          onDone={() => {
            refresh();
            close();
            showToast(twoStep.turnedOff);
          }}
          onClose={close}
        />
      );
  }
}

/** Turns two-step sign-in on and off, and makes new recovery codes. */
export function TwoStep() {
  const { twoStep } = useText();
  const { data, error, isPending, refetch } = useQuery(twoStepQuery);
  const [step, setStep] = useState<Step | null>(null);
  return (
    <Section title={twoStep.title} lead={twoStep.lead}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {isPending && <SkeletonList rows={1} />}
      {data && (
        <Card className="flex flex-wrap items-center justify-between gap-4">
          <div className="min-w-0 text-sm">
            {data.on_since === null ? (
              <p>{data.has_password ? <Badge>{twoStep.off}</Badge> : twoStep.noPassword}</p>
            ) : (
              <>
                <p>
                  <Badge tone="good">{twoStep.on}</Badge> {twoStep.onSince} <Time ms={data.on_since * 1000} />
                </p>
                <p className="mt-1 text-soft">
                  {twoStep.codesLeft(data.recovery_codes_left)}
                  {data.recovery_codes_left <= few && `. ${twoStep.fewCodes}`}
                </p>
              </>
            )}
          </div>
          <div className="flex flex-wrap gap-2">
            {data.is_on && <Button onClick={() => setStep({ name: 'renew' })}>{twoStep.newCodes}</Button>}
            {data.is_on && (
              <Button look="danger" onClick={() => setStep({ name: 'off' })}>
                {twoStep.turnOff}
              </Button>
            )}
            {!data.is_on && data.has_password && (
              <Button look="primary" onClick={() => setStep({ name: 'begin' })}>
                {twoStep.turnOn}
              </Button>
            )}
          </div>
        </Card>
      )}
      {step && <Dialogs step={step} onStep={setStep} />}
    </Section>
  );
}
