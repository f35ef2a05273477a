import { Activity } from './activity.tsx';
import { Browsers } from './browsers.tsx';
import { ProviderSignIn } from './provider-sign-in.tsx';

/** Where the account is signed in, and what happened to it. */
export function SecuritySettings() {
  return (
    <>
      <Browsers />
      <ProviderSignIn />
      <Activity />
    </>
  );
}
