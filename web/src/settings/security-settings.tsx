import { Activity } from './activity.tsx';
import { Browsers } from './browsers.tsx';
import { ProviderSignIn } from './provider-sign-in.tsx';

/** Sessions and security events of the account. */
export function SecuritySettings() {
  return (
    <>
      <Browsers />
      <ProviderSignIn />
      <Activity />
    </>
  );
}
