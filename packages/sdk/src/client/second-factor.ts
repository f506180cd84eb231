import type { Schemas } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

/** The authenticator app of an account. An API key cannot manage it. */
export function secondFactorOf(call: Call) {
  return {
    get: (options?: CallOptions) => call('getTotp', {}, options),
    /** Creates the secret for an authenticator app. `confirm` switches it on. */
    begin: (body: Schemas['NewTotp'], options?: CallOptions) => call('beginTotp', { body }, options),
    confirm: (body: Schemas['TotpConfirmation'], options?: CallOptions) => call('confirmTotp', { body }, options),
    remove: (body: Schemas['SecondFactorProof'], options?: CallOptions) => call('removeTotp', { body }, options),
    replaceRecoveryCodes: (body: Schemas['SecondFactorProof'], options?: CallOptions) =>
      call('replaceRecoveryCodes', { body }, options),
  };
}
