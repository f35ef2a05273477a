import { useSession } from '../api/session.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';

/** How costs are shown: in credits where these are limited, otherwise in money. */
export interface Cost {
  hasCredits: boolean;
  /** What a task or reply has cost; credits are whole, so it is at most so much money. */
  ofReply(credits: number): string;
  /** What one model call has cost, exactly. */
  ofCall(credits: number): string;
}

/** Shows costs in the terms of this service. */
export function useCost(): Cost {
  const { ui } = useText();
  const format = useFormat();
  const instance = useSession().data?.instance;
  const { credit_price: price = { amount: 0.01, currency: 'USD' }, has_credit_limit: hasCredits = true } = instance ?? {};
  const inCredits = (credits: number) => ui.credits(credits, format.credits(credits));
  const inMoney = (credits: number) => format.money(credits * price.amount, price.currency);
  return {
    hasCredits,
    ofReply: (credits) => (hasCredits ? inCredits(credits) : credits === 0 ? inMoney(0) : `≤ ${inMoney(credits)}`),
    ofCall: hasCredits ? inCredits : inMoney,
  };
}
