import { Activity } from './activity.tsx';
import { Browsers } from './browsers.tsx';
import { TwoStep } from './two-step/two-step.tsx';
import { ProviderSignIn } from './provider-sign-in.tsx';

/** Two-step sign-in, sessions, and security events of the account. */
export function SecuritySettings() {
  return (
    <>
      <TwoStep />
      <Browsers />
      <ProviderSignIn />
      <Activity />
    </>
  );
}
