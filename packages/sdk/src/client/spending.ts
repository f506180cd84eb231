import { Listing } from './listing.ts';
import type { Query, Schemas } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';
import { withKey } from './with-key.ts';

/** The methods for spending: budgets that are never exceeded, and authorizations of single calls. */
export function spendingOf(call: Call) {
  return {
    /** Holds the most that a call can come to. Without `idempotency_key` a key is made, so that a repeat holds it once. */
    authorize: (body: Schemas['AuthorizationInput'], options?: CallOptions) =>
      call('askAuthorization', { body: withKey(body, options), isKeyedByBody: true }, options),
    authorization: (id: string, options?: CallOptions) =>
      call('getAuthorization', { path: { authorization_id: id } }, options),
    increase: (id: string, body: Schemas['AuthorizationIncrease'], options?: CallOptions) =>
      call('increaseAuthorization', { path: { authorization_id: id }, body }, options),
    /** Lets an authorization expire later. It may get a `reference`, by which `authorizations` finds it. */
    extend: (id: string, body: Schemas['AuthorizationExtension'], options?: CallOptions) =>
      call('extendAuthorization', { path: { authorization_id: id }, body }, options),
    /** The open authorizations that you asked for, with this reference. */
    authorizations: (query: Query<'listAuthorizations'>, options?: CallOptions) =>
      new Listing(call, { id: 'listAuthorizations', query, options }, (page) => page.authorizations),
    /** Frees what an authorization holds. */
    release: (id: string, options?: CallOptions) =>
      call('releaseAuthorization', { path: { authorization_id: id } }, options),
    /** The budget of the account for a window, with the part that is spent. */
    budget: (options?: CallOptions) => call('getBudget', {}, options),
    setBudget: (body: Schemas['BudgetInput'], options?: CallOptions) => call('putBudget', { body }, options),
    removeBudget: (options?: CallOptions) => call('deleteBudget', {}, options),
    /** The amount that the month is expected to come to, and the day on which the budget ends. */
    forecast: (options?: CallOptions) => call('getForecast', {}, options),
    /** The parts of caps that were spent. */
    alerts: (query?: Query<'listSpendingAlerts'>, options?: CallOptions) =>
      new Listing(call, { id: 'listSpendingAlerts', query, options }, (page) => page.alerts),
  };
}
