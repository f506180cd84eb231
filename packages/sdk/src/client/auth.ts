import { Listing } from './listing.ts';
import type { Query, Schemas } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

/** Accounts and their sessions. An API key cannot manage sessions: use `tollgate.with({ apiKey: accessToken })`. */
export function authOf(call: Call) {
  return {
    /** Creates an account and signs in. */
    register: (credentials: Schemas['NewCredentials'], options?: CallOptions) =>
      call('register', { body: credentials }, options),
    /** Signs in. */
    login: (credentials: Schemas['Credentials'], options?: CallOptions) =>
      call('login', { body: credentials }, options),
    /** Asks for the codes by which a person signs in this program at `verification_url` (RFC 8628). */
    createDeviceLogin: (program: Schemas['NewDeviceLogin'], options?: CallOptions) =>
      call('createDeviceLogin', { body: program }, options),
    /** The token, once somebody has approved. Before that it throws `authorization_pending`: ask again every `interval`. */
    redeemDeviceLogin: (code: Schemas['DeviceLoginRedemption'], options?: CallOptions) =>
      call('redeemDeviceLogin', { body: code }, options),
    /** Replaces the access token with which it is called, valid or expired, by a new one. */
    refresh: (options?: CallOptions) => call('refresh', {}, options),
    /** Ends the session of the access token. */
    logout: (options?: CallOptions) => call('logout', {}, options),
    /** The account of the API key or access token. */
    account: (options?: CallOptions) => call('getAccount', {}, options),
    /** Changes the public name of the account of the access token; `null` removes it. Throws `name_taken`. */
    update: (change: Schemas['AccountUpdate'], options?: CallOptions) =>
      call('updateAccount', { body: change }, options),
    changePassword: (change: Schemas['PasswordChange'], options?: CallOptions) =>
      call('changePassword', { body: change }, options),
    /** Closes the account of the access token for good, and says what its erasure waits for. */
    close: (proof: Schemas['SecondFactorProof'], options?: CallOptions) =>
      call('closeAccount', { body: proof }, options),
    /** Has a link for a new password mailed to the owner. Throws `not_found` where no mail is sent. */
    requestPasswordReset: (body: Schemas['PasswordReset'], options?: CallOptions) =>
      call('requestPasswordReset', { body }, options),
    /** Has a link mailed that confirms the address of the account. */
    requestEmailConfirmation: (options?: CallOptions) => call('requestEmailConfirmation', {}, options),
    /** The live sessions. */
    sessions: (query?: Query<'listSessions'>, options?: CallOptions) =>
      new Listing(call, { id: 'listSessions', query, options }, (page) => page.sessions),
    endSession: (id: string, options?: CallOptions) => call('endSession', { path: { id } }, options),
    /** The audit trail of the account: each act, with its credential. */
    activity: (query?: Query<'listActivity'>, options?: CallOptions) =>
      new Listing(call, { id: 'listActivity', query, options }, (page) => page.acts),
  };
}
