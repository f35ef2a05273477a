import { Badge } from '../../ui/display/badge.tsx';

/** The HTTP status of an answer, in the color of its class. */
export function RequestStatus({ status }: { status: number }) {
  const tone = status < 400 ? 'good' : status < 500 ? 'warn' : 'bad';
  return <Badge tone={tone}>{status}</Badge>;
}
