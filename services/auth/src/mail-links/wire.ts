import type { RecordRefusals } from '../accounts/record-refusals.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import { createConfirmAddress, type ConfirmAddressDeps } from './confirm-address.ts';
import { mailLinkPagesController } from './mail-link-pages.controller.ts';
import { mailLinksController } from './mail-links.controller.ts';
import { createResetPassword, type ResetPasswordDeps } from './reset-password.ts';

type Deps = ResetPasswordDeps &
  ConfirmAddressDeps & { readonly throttle: SignInThrottle; readonly recordRefusals: RecordRefusals };

/** Wires what comes by links in mails: new passwords, and the confirmation of addresses. */
export function wireMailLinks(deps: Deps) {
  const { throttle, recordRefusals } = deps;
  const reset = createResetPassword(deps);
  const resetPassword = { ...reset, set: recordRefusals.ofChange('password.changed', reset.set) };
  const confirmAddress = createConfirmAddress(deps);
  const useCases = { throttle, resetPassword, confirmAddress, hasMail: deps.letters !== undefined };
  return { controllers: [mailLinksController(useCases), mailLinkPagesController(useCases)] };
}
