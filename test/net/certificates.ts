import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Certificates of the tests, valid until 2124 and made once by openssl: `valid` (receiver.test, localhost, 127.0.0.1, ::1),
 * `elsewhere` (elsewhere.test), `expired` and `self-signed` (receiver.test). All but the last come from `authority`, whose
 * key is gone; all belong to `key`.
 */
export function readCertificate(name: 'authority' | 'elsewhere' | 'expired' | 'key' | 'self-signed' | 'valid'): string {
  return readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8');
}

/** Makes this thread believe the authority of the tests; the returned function undoes it. */
export function trustTestAuthority(): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, readCertificate('authority')]);
  return () => setDefaultCACertificates(before);
}
