import { signInPath } from '../session/next-page.ts';
import { PageFault } from '../layout/page-fault.ts';
import type { PageHandler } from '../session/page-request.ts';
import { redirect } from '../layout/page-layout.ts';
import type { PageParts } from '../../request/web-request.ts';

const connectorForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The redirect target for connector sign-ins. Only the account that started a sign-in can complete it: anyone else sees that it was not
 * started here.
 */
export function buildSignInReturn(parts: PageParts): PageHandler {
  return async (request) => {
    const { visitor } = request;
    if (!visitor) return redirect(signInPath(`${request.path}?${request.queryText}`));
    const { state = '', code = '', iss, error } = request.query;
    const connectorId = state.split('.', 1)[0] ?? '';
    if (error !== undefined) throw new PageFault('failed_precondition', ({ connectors }) => connectors.notSignedIn);
    if (!connectorForm.test(connectorId) || code === '')
      throw new PageFault('invalid_argument', ({ connectors }) => connectors.noAnswer);
    await parts.connectors.finishSignIn({ accountId: visitor.accountId, connectorId }, { state, code, iss });
    return redirect('/connectors?signed_in=true');
  };
}
