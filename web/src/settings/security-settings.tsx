import { Activity } from './activity.tsx';
import { Browsers } from './browsers.tsx';
import { Passkeys } from './passkeys/passkeys.tsx';
import { TwoStep } from './two-step/two-step.tsx';
import { ProviderSignIn } from './provider-sign-in.tsx';

/** Passkeys, two-step sign-in, sessions, and security events of the account. */
export function SecuritySettings() {
  return (
    <>
      <Passkeys />
      <TwoStep />
      <Browsers />
      <ProviderSignIn />
      <Activity />
    </>
  );
}
