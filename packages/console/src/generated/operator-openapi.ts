// Written by `pnpm sdk-types` from the contracts; a test compares.

export interface paths {
    "/v1/operator/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List accounts */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account
         * @description Finds the account by its id. To find it by e-mail, use the list: paths are logged, and e-mails must not be.
         */
        get: operations["findAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/accounts/{account_id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke all API keys of an account */
        delete: operations["revokeApiKeysOfAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/accounts/{account_id}/balance-refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the refunds of an account’s balance */
        get: operations["listBalanceRefundsOfAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/accounts/{account_id}/credit-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the credit limit of an account */
        get: operations["getCreditLimit"];
        /**
         * Set the credit limit of an account
         * @description How far the account’s calls may exceed its balance. A call that would exceed it is refused with 402 `spending_cap_reached`. Null takes the bound away, unless the service runs with `CONSUMER_CREDIT=prepaid`.
         */
        put: operations["setCreditLimit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/accounts/{account_id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the credits of an account */
        get: operations["listCredits"];
        put?: never;
        /**
         * Grant a credit to an account
         * @description Puts money on the balance of the account, which the platform pays. Invoices that the account owes are collected at once. With an `Idempotency-Key` a credit is granted only once, for ever; without a key each request is another credit.
         */
        post: operations["grantCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/accounts/{account_id}/payout-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the payout account of an account
         * @description Shows the last known state at the payment processor, also before onboarding is complete.
         */
        get: operations["getPayoutAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/accounts/{account_id}/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payouts of an account
         * @description Lists the payouts as their owner sees them.
         */
        get: operations["listPayoutsOfAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/accounts/{account_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a suspended account
         * @description Its tokens and API keys work again. Held charges and transfers go on by themselves.
         */
        post: operations["resumeAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/accounts/{account_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End all sessions of an account */
        delete: operations["endSessionsOfAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/accounts/{account_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend an account
         * @description All services refuse its tokens and API keys within a second, with 403 `account_suspended`. Its invoices are not charged and its payouts are not transferred. Earlier usage is invoiced. A repeat stores the new reason.
         */
        post: operations["suspendAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/aging": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get unpaid invoices by age */
        get: operations["getAging"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the spending alerts of all accounts */
        get: operations["listAllSpendingAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit trail of all accounts
         * @description Lists who did what, from where and when. The trail is kept for ever, and nobody can change it.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a code that confirms operator changes
         * @description Takes a code of the authenticator app that `tollgate operator operator-totp` set up; 404 while there is none. While there is one, every change as operator needs the header `Tollgate-Operator-Code`.
         */
        post: operations["createOperatorCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List dead letters */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/dead-letters/{dead_letter_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a dead letter with its bytes */
        get: operations["getDeadLetter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/dead-letters/{dead_letter_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a dead letter
         * @description Appends the record to the log again, where it is treated as any other record. An event that is counted already is not counted twice, and a conflict stays a conflict.
         */
        post: operations["replayDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List closed accounts and what their erasure waits for */
        get: operations["listErasures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get processor and platform fees per month
         * @description Shows whether the platform earns more than the payment processor costs. The first 1,000 USD of a builder bear no platform fee, so a platform of many small builders makes a loss unless builders bear the fees (`PROCESSOR_FEE_BEARER`).
         */
        get: operations["getFees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices of all accounts
         * @description Lists issued invoices without their lines, newest first.
         */
        get: operations["listAllInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/invoices/{invoice_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List collection attempts of an invoice */
        get: operations["listInvoiceAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/invoices/{invoice_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an invoice above the bound of one collection
         * @description An invoice above `INVOICE_COLLECT_MAX_USD` is not charged before it is confirmed. It is due at once, and a repeated request has the same answer. One above 99,999,999.99 USD is never charged: void it.
         */
        post: operations["confirmInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/invoices/{invoice_id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the refunds of an invoice */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Refund a paid invoice
         * @description Refunds a part or all of it, never more than was paid. Builders and platform return their share. `lines` and `builder_id` say whose. A charge whose dispute is open gives nothing back before it is decided: what other charges and the balance paid can. If several charges paid the invoice and none has enough left, there are several refunds, and the answer is the first: all have its `order_id`. With an `Idempotency-Key` a refund is ordered only once, for ever; without a key each request is another refund.
         */
        post: operations["refundInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/invoices/{invoice_id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void an unpaid invoice
         * @description The consumer no longer owes it, and its builders earn nothing from it. This is final, and a repeated request has the same answer. An amount that it carried out stays on the next invoice.
         */
        post: operations["voidInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/money-path": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the way of a month’s money
         * @description From the charges over the payments and the fees to the payouts, as the ledger has booked it.
         */
        get: operations["getMoneyPath"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the platform
         * @description Calls and money of today and this month, what waits or is unknown, and how long certificate and disk last.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts of all accounts
         * @description Lists stored payouts, newest first. A failed payout without `next_attempt_at` waits for a payout account.
         */
        get: operations["listAllPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/payouts/{payout_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transfer attempts of a payout
         * @description A pending payout has no attempts yet.
         */
        get: operations["listPayoutAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/periods/{period}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the counting progress of a period */
        get: operations["getPeriodStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reconcile a period from its events to the processor
         * @description Compares events, rollups, lines, ledger and processor, then spending caps with their usage and holds, and at last the cash with the balance at the processor. Each step shows both counts, both sums and the rows that differ. Money that is on its way at this moment may differ; a later request shows it as equal.
         */
        get: operations["reconcile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/revenue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the revenue per month */
        get: operations["getRevenue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/stray-money": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stray money
         * @description Lists money that was collected and belongs to nobody here: charges that their invoices did not need, and refunds that a bank returned. It waits in the ledger account `rounding`.
         */
        get: operations["listStrayMoney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/stray-money/{attempt_id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund stray money
         * @description Refunds all that is left of it to the consumer. No invoice and no builder changes. A repeat refunds nothing twice: it gets 409 `nothing_stray`.
         */
        post: operations["returnStrayMoney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tokens of the operator */
        get: operations["listOperatorTokens"];
        put?: never;
        /**
         * Create a token of the operator
         * @description The name of a token that is revoked or has expired is free again. A token that expires creates none that outlives it.
         */
        post: operations["createOperatorToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/tokens/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token of the operator
         * @description Every service refuses it within a second. `default` is OPERATOR_TOKEN of the settings until it is rotated. The command line makes new tokens when none is left.
         */
        delete: operations["revokeOperatorToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/trial-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the trial balance of the ledger
         * @description Each posting belongs to one month. A close belongs to the month that it bills, everything else to the month in which it happened. A closed month takes no more postings, so its balances never change.
         */
        get: operations["getTrialBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/unclosed-consumers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List consumers whose invoice failed
         * @description A period closes without the consumers whose invoice fails. Tollgate tries them again automatically, at growing intervals.
         */
        get: operations["listUnclosedConsumers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/unknown-outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders of unknown outcome
         * @description Orders to the processor that had no answer, oldest first. Each is looked up until its outcome is known, and its money counts as neither moved nor not moved until then.
         */
        get: operations["listUnknownOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/usage-alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts of fast-growing usage
         * @description A consumer who calls a tool far more within 24 hours than before raises an alert, once a day. `ALERT_USAGE_FACTOR` says how much more. An alert stops nobody.
         */
        get: operations["listUsageAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhook endpoints of the operator */
        get: operations["listOperatorWebhookEndpoints"];
        put?: never;
        /**
         * Register a webhook endpoint of the operator
         * @description It is told what happens to all accounts; `account_id` of `data` says to whom. There are at most 10.
         */
        post: operations["createOperatorWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook endpoint of the operator */
        get: operations["getOperatorWebhookEndpoint"];
        put?: never;
        post?: never;
        /** Remove a webhook endpoint of the operator */
        delete: operations["deleteOperatorWebhookEndpoint"];
        options?: never;
        head?: never;
        /** Change or disable a webhook endpoint of the operator */
        patch: operations["updateOperatorWebhookEndpoint"];
        trace?: never;
    };
    "/v1/operator/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the secret of a webhook endpoint of the operator */
        post: operations["rotateOperatorWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook endpoint of the operator
         * @description `failing_since` of the endpoint says whether its last answer was a success.
         */
        post: operations["testOperatorWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sandbox clock
         * @description Only with the sandbox processor.
         */
        get: operations["getClock"];
        put?: never;
        /**
         * Move the sandbox clock
         * @description Sets the clock of all services, does all work that has become due, and answers when that is complete, or with 202 before 30 seconds have passed. The clock never goes back. Limits, throttles and deadlines do not move with it. Only with the sandbox processor.
         */
        post: operations["moveClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a dispute of a paid invoice
         * @description The consumer’s bank disputes the charge that paid the invoice. The dispute is decided at once, or stays open with `needs_response`: then its money and its fee are withdrawn. The service learns of it by webhook within seconds. Only with the sandbox processor.
         */
        post: operations["openDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/disputes/{dispute_id}/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide an open dispute
         * @description If the dispute is won, the withdrawn money comes back, and its fee does not. If it is lost, the money is taken for good. A repeat with the same outcome changes nothing. Only with the sandbox processor.
         */
        post: operations["decideDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List scripted failures */
        get: operations["listFailures"];
        put?: never;
        /**
         * Script failures of the next collections or payouts
         * @description Each of the next orders to the sandbox processor takes the oldest failure that matches it. A repeated order gets its earlier answer and takes no failure. Only with the sandbox processor.
         */
        post: operations["scriptFailure"];
        /**
         * Clear scripted failures
         * @description Failures that already happened keep their effects: a transfer that is to be reversed later is still reversed.
         */
        delete: operations["clearFailures"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/own-payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay out the platform’s balance
         * @description A payout of the platform’s own balance at the processor, as its owner makes it in the dashboard of a real one. The service learns of it by webhook within seconds and books it: its money is in the ledger account `bank` then. Only with the sandbox processor.
         */
        post: operations["payOutToBank"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A closed account and its erasure. */
        AccountClosure: {
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /**
             * Format: date
             * @description Until this day, the law asks the operator to keep invoices, ledger and audit trail.
             * @example 2036-12-31
             */
            books_kept_until: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            closed_at: string;
            /**
             * Format: date-time
             * @description Null: it waits.
             * @example 2026-11-21T12:00:00.000Z
             */
            erased_at: string | null;
            /**
             * Format: date-time
             * @description When somebody looked last; null: nobody has yet.
             * @example 2026-11-21T12:00:00.000Z
             */
            looked_at: string | null;
            /** @description What stands between the account and its erasure. `month`: the month of its last calls has no invoice yet. `call`: money is held for a call. `invoice`: an invoice is unpaid. `dispute`: a charge is disputed. `payment`: the outcome of a charge or a refund is unknown. `payout`: earnings are not paid out. `negative_balance`: refunds took more than was earned. Empty: it is erased within a minute, or was. */
            waits_for: ("month" | "call" | "invoice" | "dispute" | "payment" | "payout" | "negative_balance")[];
        };
        /** @description A page, newest first. */
        AccountClosureList: {
            erasures: components["schemas"]["AccountClosure"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /** @description A page, newest first. */
        AccountList: {
            accounts: components["schemas"]["OperatorAccount"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /**
         * @example {
         *       "reason": "stolen card, case 4711"
         *     }
         */
        AccountSuspend: {
            /**
             * @description The reason. Only the operator sees it.
             * @example stolen card, case 4711
             */
            reason: string;
        };
        Act: {
            /**
             * Format: uuid
             * @description The account that the act concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string | null;
            /**
             * @description What was done.
             * @enum {string}
             */
            action: "account.registered" | "account.signed_in" | "device_login.approved" | "session.ended" | "api_key.created" | "api_key.revoked" | "embed.created" | "embed_origins.changed" | "pass.created" | "pass.changed" | "pass.rotated" | "pass.revoked" | "call.approved" | "call.refused" | "password.changed" | "email.confirmed" | "second_factor.added" | "second_factor.removed" | "second_factor.proved" | "recovery_codes.replaced" | "account.suspended" | "account.resumed" | "account.named" | "account.closed" | "account.erased" | "tool.created" | "tool.changed" | "tool.archived" | "price.added" | "payout_account.linked" | "payout_account.changed" | "payout_account.disconnected" | "billing_details.changed" | "payment_method.linked" | "payment_method.changed" | "payment_method.removed" | "invoice.refunded" | "stray_money.returned" | "invoice.voided" | "invoice.confirmed" | "credit.granted" | "top_up.ordered" | "balance.refunded" | "credit_limit.changed" | "auto_top_up.changed" | "auto_top_up.removed" | "balance_alerts.changed" | "webhook_endpoint.created" | "webhook_endpoint.changed" | "webhook_endpoint.removed" | "webhook_endpoint.secret_rotated" | "notification_preferences.changed" | "clock.moved" | "data.exported" | "signing_key.rotated" | "operator_totp.enabled" | "operator_totp.disabled" | "operator_code.created" | "operator_token.created" | "operator_token.revoked" | "operator_token.rotated" | "operator_token.used" | "operator_account.granted" | "operator_account.revoked";
            /**
             * @description Who did it: `command` is the operator’s command line, `service` Tollgate on its own, `nobody` a caller without a credential.
             * @enum {string}
             */
            actor: "session" | "api_key" | "pass" | "operator" | "command" | "processor" | "service" | "nobody";
            /**
             * Format: uuid
             * @description The account of the session, the API key or the pass, or of the person who acted as the operator.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            actor_account_id: string | null;
            /** @description The address of the caller. */
            address: string | null;
            /**
             * Format: uuid
             * @description The session, the API key or the pass that did it.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            credential_id: string | null;
            /** @description Facts about the act, such as an amount. Never a secret. */
            detail: {
                [key: string]: string | number | boolean;
            };
            /** @description The number of the act. A later act has a greater number. */
            id: string;
            /** @description The id of the object. */
            object_id: string | null;
            /** @description The kind of the object, such as `api_key`. */
            object_kind: string;
            /**
             * Format: date-time
             * @description When it was done, by the clock of the database. It never follows the sandbox clock.
             * @example 2026-11-21T12:00:00.000Z
             */
            occurred_at: string;
            /** @description The name of the operator token; null for a person. */
            operator_name: string | null;
            /** @description `X-Request-Id` of the request. */
            request_id: string | null;
            /**
             * @description `refused`: it was tried and refused, such as a sign-in.
             * @enum {string}
             */
            result: "done" | "refused";
        };
        /** @description A page, newest first. `total` is null. */
        ActList: {
            acts: components["schemas"]["Act"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description Always null: acts are not counted. */
            total: null;
        };
        /** @description The `open` and `past_due` invoices by age. */
        Aging: {
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            as_of: string;
            /** @description Each age once, the youngest first. */
            buckets: components["schemas"]["AgingBucket"][];
            /**
             * @description All amounts are US dollars.
             * @constant
             */
            currency: "usd";
            /** @description The number of all these invoices. */
            invoices: number;
            /** @description The sum of the buckets. */
            owed_usd: number;
        };
        AgingBucket: {
            /**
             * @description How long the invoices have been due. A day that has begun counts.
             * @enum {string}
             */
            age: "not_due" | "1_30_days" | "31_60_days" | "over_60_days";
            /** @description The number of invoices. */
            invoices: number;
            /** @description US dollars, up to six decimals. */
            owed_usd: number;
        };
        ApprovalLink: {
            /**
             * Format: date-time
             * @description Until then it can be answered.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: uri
             * @description The page on which the owner of the pass signs in, and approves or refuses.
             */
            url: string;
        };
        /** @description The most that the event of the call can have. Required where the price counts it, unless the tool has a `default_max`. */
        AuthorizedMax: {
            /** @description The most milliseconds that the call takes. */
            duration_ms?: number | null;
            /**
             * @description The most of each metadata key that the price sums.
             * @example {
             *       "tokens": 4000
             *     }
             */
            metadata?: {
                [key: string]: number;
            } | null;
        };
        /** @description What one credit of the balance has paid of an invoice. */
        BalancePart: {
            /** @description Whole cents. */
            amount_usd: number;
            /**
             * Format: date-time
             * @description The credit paid for calls from this time on: a grant pays for calls that were made while it was valid. Null for a top-up.
             * @example 2026-11-21T12:00:00.000Z
             */
            calls_from: string | null;
            /**
             * Format: date-time
             * @description The credit paid for calls before this time. Null for a top-up.
             * @example 2026-11-21T12:00:00.000Z
             */
            calls_to: string | null;
            /**
             * Format: uuid
             * @description The credit of the balance that paid.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            credit_id: string;
            /**
             * Format: uuid
             * @description The top-up that this credit comes from; null if the operator granted it.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            top_up_id: string | null;
        };
        BalanceRefund: {
            /**
             * Format: uuid
             * @description The account whose balance it was.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description What left the balance when it was ordered: the sum of the parts. */
            amount_usd: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /** @constant */
            currency: "usd";
            /**
             * Format: uuid
             * @description The id of the refund.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description One per top-up, the newest first. */
            parts: components["schemas"]["BalanceRefundPart"][];
            /** @description What has gone back to cards. */
            refunded_usd: number;
            /**
             * @description `pending`: the payment processor has not said the outcome of each part; it is asked again until it has. `failed`: the money of each part that failed is on the balance again.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
        };
        /** @description A page, newest first. */
        BalanceRefundList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            refunds: components["schemas"]["BalanceRefund"][];
            /** @description The number of entries on all pages. */
            total: number;
        };
        BalanceRefundPart: {
            /** @description Whole cents. */
            amount_usd: number;
            /** @description Why it failed, in the processor’s words. */
            failure_code: string | null;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /**
             * Format: uuid
             * @description The top-up whose card gets it.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            top_up_id: string;
        };
        Charge: {
            /**
             * @description A decimal in its shortest spelling.
             * @example 0.002
             */
            free_quantity: string;
            metric: components["schemas"]["Metric"];
            model: components["schemas"]["PriceModel"];
            /** @description For the invoice; null if the charge has none. */
            name: string | null;
        };
        Clock: {
            /** @description Whether the clock stands still. Otherwise it ticks. */
            frozen: boolean;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            now: string;
            /**
             * Format: date-time
             * @description All work that moves of the clock made due by this time has been done. Null before the first move has done its work.
             * @example 2026-11-21T12:00:00.000Z
             */
            worked_through: string | null;
        };
        /**
         * @example {
         *       "advance_seconds": 3600
         *     }
         */
        ClockMove: {
            /**
             * @description In place of `now`: how far the clock moves ahead.
             * @example 3600
             */
            advance_seconds?: number | null;
            /** @description Whether the clock stands still from then on. Default: false. */
            frozen?: boolean | null;
            /**
             * Format: date-time
             * @description The new time, not before the current one.
             * @example 2026-11-21T12:00:00.000Z
             */
            now?: string | null;
        };
        CreatedOperatorToken: {
            /**
             * Format: date-time
             * @description Null for the token of the settings, OPERATOR_TOKEN.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description From this time on it is refused; null for never.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * @description The name in the audit trail.
             * @example nightly-report
             */
            name: string;
            /**
             * Format: date-time
             * @description When it was revoked; null if it was not.
             * @example 2026-11-21T12:00:00.000Z
             */
            revoked_at: string | null;
            /** @enum {string} */
            state: "live" | "expired" | "revoked";
            /**
             * @description The token. It is shown only once.
             * @example operator_0123456789ABCDEFabcdef0123456789ABCDEF012
             */
            token: string;
        };
        CreatedWebhookEndpoint: {
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            description: string | null;
            /**
             * @description Null while it is enabled. `owner`: you disabled it. `gone`: it answered 410. `failing`: it answered nothing with success for five days.
             * @enum {string|null}
             */
            disabled_reason: "owner" | "gone" | "failing" | null;
            enabled: boolean;
            /**
             * Format: date-time
             * @description Its first failure since its last success; null if its last answer was a success.
             * @example 2026-11-21T12:00:00.000Z
             */
            failing_since: string | null;
            /**
             * Format: uuid
             * @description The id of the endpoint.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description Checks the signatures of its webhooks. It is shown only once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /** @description What it is told. Null: everything. */
            types: string[] | null;
            url: string;
        };
        Credit: {
            /**
             * Format: uuid
             * @description The consumer whose balance it is on.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description Whole cents. */
            amount_usd: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The credit pays for calls from this time on, from the full hour; null for a top-up, which pays for calls of any time.
             * @example 2026-11-21T12:00:00.000Z
             */
            effective_from: string | null;
            /**
             * Format: date-time
             * @description The credit pays for calls until this time, to the full hour, also when they are invoiced later; the rest is taken back when all of them are counted. Money that comes back to it may be used for 30 days. Null: never.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: uuid
             * @description The id of the credit.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description The part that is not spent yet. */
            left_usd: number;
            /** @description Why it was granted. */
            reason: string;
            /**
             * Format: uuid
             * @description The top-up that this credit comes from; null if the operator granted it.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            top_up_id: string | null;
        };
        CreditLimit: {
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description Whole cents. Null: there is no such bound. */
            credit_limit_usd: number | null;
        };
        /**
         * @example {
         *       "credit_limit_usd": 100
         *     }
         */
        CreditLimitInput: {
            /** @description How far calls may exceed the balance, at most two decimals; null: there is no such bound. */
            credit_limit_usd?: ((number | (0 | number) | null) | null) | (0 | number) | null;
        };
        /** @description All credits of one account, newest first. */
        CreditList: {
            credits: components["schemas"]["Credit"][];
            /** @description The number of credits. */
            total: number;
        };
        /**
         * @example {
         *       "amount_usd": 25,
         *       "reason": "welcome"
         *     }
         */
        CreditOrder: {
            /**
             * @description US dollars, at most two decimals.
             * @example 12.5
             */
            amount_usd?: number;
            /**
             * Format: date-time
             * @description The credit pays for calls from this time on, which may be in the past. Default: now.
             * @example 2026-11-21T12:00:00.000Z
             */
            effective_from?: string | null;
            /**
             * Format: date-time
             * @description The credit pays for calls until this time, also when they are invoiced later. Default: for ever.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at?: string | null;
            /** @description The reason. Only the operator sees it. */
            reason: string;
        };
        /** @description A record of the log that was not counted, and why. */
        DeadLetter: {
            /** @description The stable code of the reason. */
            code: string;
            /**
             * Format: uuid
             * @description Null, like the next three fields, if the record cannot be read.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            consumer_id: string | null;
            /**
             * Format: uuid
             * @description The id of the event.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            event_id: string | null;
            /**
             * @description The place of the record in the log: topic, partition and offset.
             * @example usage.events.v1:0:42
             */
            id: string;
            /** @description The place in the partition. */
            offset: number;
            /** @description The partition of the topic. */
            partition: number;
            /** @description The reason in words. */
            reason: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            received_at: string | null;
            /** @description The place in the log after the replay. If the record is refused again, this is the id of the new dead letter. */
            replayed_as: string | null;
            /**
             * Format: date-time
             * @description When the record was last replayed.
             * @example 2026-11-21T12:00:00.000Z
             */
            replayed_at: string | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            stored_at: string;
            /** @description The slug of the tool. */
            tool_id: string | null;
            /** @description The topic of the log. */
            topic: string;
        };
        /** @description A page, newest first. */
        DeadLetterList: {
            dead_letters: components["schemas"]["DeadLetter"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        DeadLetterWithRecord: {
            /** @description The stable code of the reason. */
            code: string;
            /**
             * Format: uuid
             * @description Null, like the next three fields, if the record cannot be read.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            consumer_id: string | null;
            /**
             * Format: uuid
             * @description The id of the event.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            event_id: string | null;
            /**
             * @description The place of the record in the log: topic, partition and offset.
             * @example usage.events.v1:0:42
             */
            id: string;
            /** @description The place in the partition. */
            offset: number;
            /** @description The partition of the topic. */
            partition: number;
            /** @description The reason in words. */
            reason: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            received_at: string | null;
            /** @description The bytes of the record, as they are in the log. */
            record_base64: string;
            /** @description The place in the log after the replay. If the record is refused again, this is the id of the new dead letter. */
            replayed_as: string | null;
            /**
             * Format: date-time
             * @description When the record was last replayed.
             * @example 2026-11-21T12:00:00.000Z
             */
            replayed_at: string | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            stored_at: string;
            /** @description The slug of the tool. */
            tool_id: string | null;
            /** @description The topic of the log. */
            topic: string;
        };
        EndedCredentials: {
            /** @description The number of credentials that were ended. */
            ended: number;
        };
        /**
         * @description One call of a tool.
         * @example {
         *       "tool_id": "web-search",
         *       "duration_ms": 120,
         *       "success": true,
         *       "metadata": {
         *         "model": "small",
         *         "tokens": 1284
         *       }
         *     }
         */
        Event: {
            /**
             * Format: uuid
             * @description The event captures this authorization: its money is held already, and its account pays. One event captures it, however often it is sent.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            authorization_id?: string | null;
            /** @description Which call this is of an authorization for several calls, from 0 to its `count` − 1. */
            call_index?: number | null;
            /**
             * @description Execution time in milliseconds.
             * @example 120
             */
            duration_ms?: number | null;
            /**
             * @description Your key for this call. A repeated key has the same answer and never counts twice.
             * @example call-2026-11-21-000042
             */
            idempotency_key?: string | null;
            metadata?: components["schemas"]["MetadataInput"] | null;
            /** @description Whether the call succeeded. Default: `true`. */
            success?: boolean | null;
            /**
             * Format: date-time
             * @description When the call happened. Default: the server time. A future time becomes the server time; a time more than 24 hours old is 422 `event_expired`.
             * @example 2026-11-21T12:00:00.000Z
             */
            timestamp?: string | null;
            /**
             * @description Slug of a registered tool.
             * @example web-search
             */
            tool_id: string;
            /**
             * @description The span of the call, as W3C Trace Context has it, such as `_meta.traceparent` of a call by MCP. Default: the `traceparent` header of the request. It is no part of the event: a repeat may have another.
             * @example 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
             */
            traceparent?: string | null;
        };
        FeeMonth: {
            /** @description The part of these fees that builders bear. */
            borne_by_builders_usd: number;
            /** @description The fees of the payment processor on charges. */
            charge_fees_usd: number;
            /** @description What charges brought in for invoices. */
            collected_usd: number;
            /** @description Its fees on disputes. */
            dispute_fees_usd: number;
            /** @description Platform fees less the fees of the processor that the platform bears. Below 0 is a loss. */
            margin_usd: number;
            /**
             * @description The accounting period of the postings.
             * @example 2026-11
             */
            period: string;
            /** @description Platform fees that were taken, less fees that refunds gave back. */
            platform_fees_usd: number;
            /** @description Its fees on refunds. */
            refund_fees_usd: number;
        };
        /** @description The fees of the payment processor against the fees of the platform, by month. */
        Fees: {
            /**
             * @description All amounts are US dollars.
             * @constant
             */
            currency: "usd";
            /** @description The months with postings, newest first. */
            months: components["schemas"]["FeeMonth"][];
        };
        /** @description One error in the request. */
        FieldError: {
            /**
             * @description The stable code of this error.
             * @example too_long
             */
            code: string;
            /** @description What the value must be, in words. */
            message: string;
            /**
             * @description JSON Pointer (RFC 6901) into the body; `/name` for a query parameter or a header.
             * @example /metadata/tokens
             */
            pointer: string;
        };
        /** @description The invoice of one closed period. Only its status changes. An invoice that bills 0 is `carried`. */
        Invoice: {
            /** @description The part of the total that the balance paid; the card pays the rest. */
            balance_paid_usd: number;
            /** @description Which credits paid `balance_paid_usd`, in the order in which they are spent. */
            balance_parts: components["schemas"]["BalancePart"][];
            /** @description The part of the total that the card has paid so far. An invoice above the maximum of one charge is charged in parts. */
            card_paid_usd: number;
            /** @description The amount that earlier invoices did not bill. */
            carried_in_usd: number;
            /** @description The amount that is left for the next invoice. */
            carried_out_usd: number;
            /** @description The sum of the lines. */
            charge_usd: number;
            /**
             * @description All amounts are US dollars.
             * @constant
             */
            currency: "usd";
            /**
             * Format: date-time
             * @description When it must be paid.
             * @example 2026-11-21T12:00:00.000Z
             */
            due_at: string;
            /**
             * @description Why it is not charged although it is due. `confirmation`: it is above the bound of one collection, and the operator confirms it first. `payment_method`: there is no payment method, or the one on file was refused for good. `authentication`: the bank wants its cardholder to confirm. For both, `POST /v1/billing/payment-method` links to a page where the consumer sets up or confirms a card, and everything that is owed is charged at once. Null: nothing holds it.
             * @enum {string|null}
             */
            held_for: "confirmation" | "payment_method" | "authentication" | null;
            /**
             * Format: uuid
             * @description The id of the invoice.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: date-time
             * @description When the period was closed.
             * @example 2026-11-21T12:00:00.000Z
             */
            issued_at: string;
            /** @description The number of all lines. */
            line_count: number;
            /** @description One line per charge, price version and period. At most the first 1,000; in a list of invoices the first 20. */
            lines: components["schemas"]["InvoiceLine"][];
            /** @description Whether `lines` has only the first ones. `GET /v1/billing/invoices/{id}/lines` lists all. */
            lines_truncated: boolean;
            /** @description The invoice number, without gaps over all invoices. */
            number: number;
            /**
             * Format: date-time
             * @description Null until it is paid.
             * @example 2026-11-21T12:00:00.000Z
             */
            paid_at: string | null;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /** @description The refunds so far: whole cents. */
            refunded_usd: number;
            /**
             * @description `open`: to be paid. `carried`: it bills 0, and its amount is carried into the next invoice. `past_due`: unpaid for two weeks. `uncollectible`: written off. `void`: never owed.
             * @enum {string}
             */
            status: "open" | "paid" | "carried" | "past_due" | "uncollectible" | "void";
            /** @description The billed amount: whole cents, rounded down; 0 below the minimum. */
            total_usd: number;
        };
        InvoiceLine: {
            /**
             * @description The earlier, closed period of calls that were counted late; null for the period of the invoice.
             * @example 2026-11
             */
            adjustment_of: string | null;
            /** @description The place of the charge in its price, from 0. */
            charge: number;
            /** @description Up to six decimals. */
            charge_usd: number;
            /** @description The name of the charge; null if it has none. */
            name: string | null;
            /**
             * Format: uuid
             * @description The price version that rated it.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            price_id: string;
            /**
             * @description The billable quantity, including the free quantity; a decimal.
             * @example 1284
             */
            quantity: string;
            /** @description The slug of the tool. */
            tool_id: string;
            /** @description `calls`, `ms`, or the metadata key that is summed. */
            unit: string;
        };
        /** @description An invoice without its lines. */
        InvoiceSummary: {
            /**
             * Format: uuid
             * @description The consumer.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description The part of the total that the balance paid; the card pays the rest. */
            balance_paid_usd: number;
            /** @description The part of the total that the card has paid so far. An invoice above the maximum of one charge is charged in parts. */
            card_paid_usd: number;
            /** @description The amount that earlier invoices did not bill. */
            carried_in_usd: number;
            /** @description The amount that is left for the next invoice. */
            carried_out_usd: number;
            /** @description The sum of the lines. */
            charge_usd: number;
            /**
             * @description All amounts are US dollars.
             * @constant
             */
            currency: "usd";
            /**
             * Format: date-time
             * @description When it must be paid.
             * @example 2026-11-21T12:00:00.000Z
             */
            due_at: string;
            /**
             * @description Why it is not charged although it is due. `confirmation`: it is above the bound of one collection, and the operator confirms it first. `payment_method`: there is no payment method, or the one on file was refused for good. `authentication`: the bank wants its cardholder to confirm. For both, `POST /v1/billing/payment-method` links to a page where the consumer sets up or confirms a card, and everything that is owed is charged at once. Null: nothing holds it.
             * @enum {string|null}
             */
            held_for: "confirmation" | "payment_method" | "authentication" | null;
            /**
             * Format: uuid
             * @description The id of the invoice.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: date-time
             * @description When the period was closed.
             * @example 2026-11-21T12:00:00.000Z
             */
            issued_at: string;
            /** @description The invoice number, without gaps over all invoices. */
            number: number;
            /**
             * Format: date-time
             * @description Null until it is paid.
             * @example 2026-11-21T12:00:00.000Z
             */
            paid_at: string | null;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /** @description The refunds so far: whole cents. */
            refunded_usd: number;
            /**
             * @description `open`: to be paid. `carried`: it bills 0, and its amount is carried into the next invoice. `past_due`: unpaid for two weeks. `uncollectible`: written off. `void`: never owed.
             * @enum {string}
             */
            status: "open" | "paid" | "carried" | "past_due" | "uncollectible" | "void";
            /** @description The billed amount: whole cents, rounded down; 0 below the minimum. */
            total_usd: number;
        };
        /** @description A page, newest first. */
        InvoiceSummaryList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            invoices: components["schemas"]["InvoiceSummary"][];
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /**
         * @description Your own key-value pairs, at most 10. A value that is null is left out, and not counted. Send numbers beyond ± (2⁵³ − 1) as strings.
         * @example {
         *       "model": "small",
         *       "tokens": 1284
         *     }
         */
        MetadataInput: {
            [key: string]: string | number | boolean | null;
        };
        Metric: {
            /** @constant */
            type: "calls";
        } | {
            /** @constant */
            type: "duration_ms";
        } | {
            key: string;
            /** @constant */
            type: "metadata_sum";
        };
        /** @description The way of a month’s money, by the sums of the ledger. */
        MoneyPath: {
            /** @description The lines of the invoices of the month. Up to six decimals. */
            charged_usd: number;
            /** @description The rest of these charges, which is their builders’. Up to six decimals. */
            earnings_usd: number;
            /** @description Owed by consumers after the month. It is `owed_before_usd` and `charged_usd`, less `paid_usd` and `written_off_usd`. Up to six decimals. */
            owed_after_usd: number;
            /** @description Owed by consumers before the month. Up to six decimals. */
            owed_before_usd: number;
            /** @description The part of it that balances paid, less what they got back. Up to six decimals. */
            paid_by_balance_usd: number;
            /** @description The part of it that charges brought in. Up to six decimals. */
            paid_by_card_usd: number;
            /** @description Transferred to builders, less what came back. Up to six decimals. */
            paid_out_usd: number;
            /** @description Paid for invoices: by card and by balance. Up to six decimals. */
            paid_usd: number;
            /** @description Owed to builders after the month. It is `payable_before_usd` and `earnings_usd`, less `paid_out_usd` and `taken_back_usd`. Up to six decimals. */
            payable_after_usd: number;
            /** @description Owed to builders before the month. Below 0: they owe it. Up to six decimals. */
            payable_before_usd: number;
            /**
             * @description The accounting period of the postings: invoices are of the month of their calls.
             * @example 2026-11
             */
            period: string;
            /** @description The fees of the platform on charges that were paid. Up to six decimals. */
            platform_fees_usd: number;
            /** @description Taken from builders for refunds, and for fees of the processor that they bear. Up to six decimals. */
            taken_back_usd: number;
            /** @description Invoices that nobody pays, less those that were paid after all. Up to six decimals. */
            written_off_usd: number;
        };
        /**
         * @example {
         *       "code": "123456"
         *     }
         */
        NewOperatorCode: {
            /**
             * @description The code that the authenticator app shows now. It works once.
             * @example 123456
             */
            code: string;
        };
        /**
         * @example {
         *       "name": "nightly-report",
         *       "expires_at": "2032-01-01T00:00:00.000Z"
         *     }
         */
        NewOperatorToken: {
            /**
             * Format: date-time
             * @description From this time on the token is refused, by real time: moving the sandbox clock changes nothing.
             * @example 2032-01-01T00:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Lower-case letters, digits and inner hyphens. The audit trail shows this name.
             * @example nightly-report
             */
            name: string;
        };
        /**
         * @example {
         *       "url": "https://example.com/tollgate",
         *       "types": [
         *         "invoice.paid",
         *         "payout.paid"
         *       ]
         *     }
         */
        NewWebhookEndpoint: {
            /** @description For you, to tell endpoints apart. */
            description?: string | null;
            /**
             * @description What it is told. Null: everything.
             * @example [
             *       "invoice.paid",
             *       "payout.paid"
             *     ]
             */
            types?: ("invoice.issued" | "invoice.paid" | "invoice.payment_failed" | "invoice.past_due" | "invoice.uncollectible" | "invoice.voided" | "invoice.refunded" | "credit_note.issued" | "payment_method.updated" | "payment_method.removed" | "dispute.opened" | "dispute.won" | "dispute.lost" | "balance.topped_up" | "top_up.failed" | "balance.refunded" | "credit.granted" | "credit.expired" | "payout.scheduled" | "payout.paid" | "payout.failed" | "payout.reversed" | "payout_account.connected" | "payout_account.updated" | "payout_account.disconnected" | "spending.threshold_reached" | "spending.limit_reached" | "spending.forecast_exceeds_budget" | "spending.anomaly" | "balance.low" | "auto_top_up.failed" | "auto_top_up.limit_reached" | "tool.created" | "tool.price_added" | "tool.archived" | "tool.first_call" | "api_key.created" | "api_key.revoked" | "api_key.expired" | "oauth.consent_given" | "oauth.consent_revoked" | "webhook_endpoint.disabled" | "account.registered" | "dead_letter.stored" | "ledger.difference_found")[] | null;
            /**
             * @description An https address of yours, at port 443 or from 1024 on. It must lead to the public Internet, and no user name may be in it.
             * @example https://example.com/tollgate
             */
            url: string;
        };
        OperatorAccount: {
            /**
             * Format: uuid
             * @description The id of the account: `consumer_id` of its calls.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /** @description Trimmed and lower-cased. */
            email: string;
            /**
             * Format: date-time
             * @description When a mail server said that the address takes no mail. Then none is sent there, until its owner follows a link that came there. Null: it takes mail, as far as is known.
             * @example 2026-11-21T12:00:00.000Z
             */
            email_bounced_at: string | null;
            /** @description Whether its owner has followed a link that came there by mail. Nothing is refused for want of it. */
            email_verified: boolean;
            /**
             * @description The name by which people know who sells its tools. Nobody has verified it. Null: it has none.
             * @example Weather House
             */
            public_name: string | null;
            /** @description Why and since when the account is suspended; null if it is not. */
            suspension: {
                reason: string;
                /**
                 * Format: date-time
                 * @description UTC with milliseconds.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                suspended_at: string;
            } | null;
        };
        OperatorCode: {
            /**
             * @description Seconds until it expires.
             * @example 600
             */
            expires_in: number;
            /** @description Send it as `Tollgate-Operator-Code`, with the same token. */
            operator_code: string;
        };
        OperatorCounting: {
            /**
             * Format: date-time
             * @description The watermark: all before this time is counted. Null while nothing is counted.
             * @example 2026-11-21T12:00:00.000Z
             */
            counted_through: string | null;
            /** @description How far counting is behind `now`. */
            lag_seconds: number | null;
            /** @description The last hour by its minutes, the oldest first. It begins anew with the process that answers; minutes without a reading are left out. */
            last_hour: components["schemas"]["OperatorLagMinute"][];
        };
        OperatorDueWork: {
            /**
             * Format: date-time
             * @description Since when the oldest work of this kind is due.
             * @example 2026-11-21T12:00:00.000Z
             */
            due_at: string;
            /**
             * @description What is to be done.
             * @enum {string}
             */
            kind: "charge" | "transfer" | "past_due" | "payout_day";
        };
        OperatorLagMinute: {
            /** @description The largest lag of the minute. */
            lag_seconds: number;
            /**
             * Format: date-time
             * @description When the minute begins, by the clock of the machine.
             * @example 2026-11-21T12:00:00.000Z
             */
            starts_at: string;
        };
        /** @description Times are those of the machine, which no sandbox clock moves. */
        OperatorMachine: {
            /** @description Null: PUBLIC_URL has no TLS, or has not answered yet. */
            certificate: {
                /**
                 * Format: date-time
                 * @description When the certificate that PUBLIC_URL shows ends.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                ends_at: string;
                /** @description Within 14 days, or it has ended. */
                ends_soon: boolean;
            } | null;
            /** @description The disk of the data folder; null where the database is a server’s. */
            disk: {
                /** @description Room that is left. */
                free_bytes: number;
                /**
                 * Format: date-time
                 * @description When it is full at the rate of the last day; null while it does not fill.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                full_at: string | null;
                /** @description Within three days. */
                full_soon: boolean;
                /** @description Size of the disk. */
                size_bytes: number;
            } | null;
        };
        /** @description Money is booked when it moves: calls of a month are paid after its close. */
        OperatorMonth: {
            /** @description The calls that were counted for this month so far. */
            calls: number;
            /** @description Money that the processor collected this month. Up to six decimals. */
            collected_usd: number;
            /** @description Those with `success: false`. */
            failed_calls: number;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /** @description Platform fees that were earned this month, less those that refunds took back. Up to six decimals. */
            platform_fees_usd: number;
        };
        OperatorOverview: {
            counting: components["schemas"]["OperatorCounting"];
            /** @description Records that were not counted, and not replayed. */
            dead_letters: components["schemas"]["OperatorWaiting"];
            /**
             * @description The oldest month that is due and not closed.
             * @example 2026-11
             */
            due_period: string | null;
            /** @description Work that is due and not done, the oldest of each kind. Empty: nothing waits. */
            due_work: components["schemas"]["OperatorDueWork"][];
            /** @description Payouts that have failed for long. */
            failing_payouts: number;
            /** @description Invoices that wait for a confirmation. */
            held_invoices: number;
            /** @description Checks that did not hold in the last nightly check of the ledger; null before the first one. */
            ledger_differences: number | null;
            machine: components["schemas"]["OperatorMachine"];
            month: components["schemas"]["OperatorMonth"];
            /**
             * Format: date-time
             * @description The time by which this was read: in the sandbox, that of its clock.
             * @example 2026-11-21T12:00:00.000Z
             */
            now: string;
            /** @description Disputes without a decision. */
            open_disputes: number;
            today: components["schemas"]["OperatorToday"];
            /** @description Consumers whose invoice failed. */
            unclosed_consumers: number;
            /** @description Orders at the processor whose outcome is not known. */
            unknown_outcomes: components["schemas"]["OperatorWaiting"];
            /** @description Webhooks of the processor that are not applied yet. */
            waiting_webhooks: components["schemas"]["OperatorWaiting"];
        };
        OperatorPayout: {
            /**
             * Format: uuid
             * @description The builder.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description Gross: always `net_usd` + `fee_usd`. */
            amount_usd: number;
            /**
             * Format: date-time
             * @description The first of these failures; null if there is none.
             * @example 2026-11-21T12:00:00.000Z
             */
            failing_since: string | null;
            /** @description Failures in a row; 0 once it is paid. */
            failures: number;
            /** @description The platform fee; below 0 if refunds returned more of it. */
            fee_usd: number;
            /**
             * Format: uuid
             * @description The id does not change, from `pending` on.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description The amount that is transferred. If refunds take a part of a failed payout, it is lowered. For a pending payout it may be below 0, if more was refunded. */
            net_usd: number;
            /**
             * Format: date-time
             * @description When the next attempt is due. Null once paid, and while a failed payout waits for a payout account.
             * @example 2026-11-21T12:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the payout was transferred; null until then.
             * @example 2026-11-21T12:00:00.000Z
             */
            paid_at: string | null;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /**
             * @description `pending`: being calculated until the payout day of the period. `scheduled`: queued for transfer. `paid`: transferred. `failed`: the transfer failed, and the service tries it again.
             * @enum {string}
             */
            status: "pending" | "scheduled" | "paid" | "failed";
        };
        OperatorPayoutAttempt: {
            /** @description Whole cents, rounded down. */
            amount_usd: number;
            /**
             * Format: uuid
             * @description The id of the attempt.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            attempt_id: string;
            /** @description Why the processor refused the order; null if it did not. */
            failure_code: string | null;
            /** @description The key of the order at the processor. */
            idempotency_key: string;
            /** @description The number of the attempt, from 1. */
            number: number;
            /** @description The id of the object at the processor; null until it is known. */
            object_id: string | null;
            /** @description `sandbox` or `stripe`. */
            processor: string;
            /** @description The payout account at the processor. */
            processor_account_id: string;
            /**
             * Format: date-time
             * @description When the outcome became known; null until then.
             * @example 2026-11-21T12:00:00.000Z
             */
            settled_at: string | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            started_at: string;
            /**
             * @description `unknown`: the outcome is looked up at the processor until it is known. `reversed`: the money came back.
             * @enum {string}
             */
            status: "unknown" | "succeeded" | "failed" | "reversed";
        };
        /** @description A page, newest first. */
        OperatorPayoutList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            payouts: components["schemas"]["OperatorPayout"][];
            /** @description The number of entries on all pages. */
            total: number;
        };
        OperatorToday: {
            /** @description The calls that were counted for this day so far. */
            calls: number;
            /** @description Those with `success: false`. */
            failed_calls: number;
            /**
             * Format: date-time
             * @description The beginning of the day (UTC).
             * @example 2026-11-21T12:00:00.000Z
             */
            starts_at: string;
        };
        /** @description A token of the operator, without the token itself. */
        OperatorToken: {
            /**
             * Format: date-time
             * @description Null for the token of the settings, OPERATOR_TOKEN.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description From this time on it is refused; null for never.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * @description The name in the audit trail.
             * @example nightly-report
             */
            name: string;
            /**
             * Format: date-time
             * @description When it was revoked; null if it was not.
             * @example 2026-11-21T12:00:00.000Z
             */
            revoked_at: string | null;
            /** @enum {string} */
            state: "live" | "expired" | "revoked";
        };
        /** @description A page, by name. */
        OperatorTokenList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            operator_tokens: components["schemas"]["OperatorToken"][];
            /** @description The number of entries on all pages. */
            total: number;
        };
        OperatorWaiting: {
            /** @description How many wait. */
            count: number;
            /**
             * Format: date-time
             * @description Since when the oldest waits; null if there is none.
             * @example 2026-11-21T12:00:00.000Z
             */
            oldest_at: string | null;
        };
        Payout: {
            /** @description Gross: always `net_usd` + `fee_usd`. */
            amount_usd: number;
            /** @description The platform fee; below 0 if refunds returned more of it. */
            fee_usd: number;
            /**
             * Format: uuid
             * @description The id does not change, from `pending` on.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description The amount that is transferred. If refunds take a part of a failed payout, it is lowered. For a pending payout it may be below 0, if more was refunded. */
            net_usd: number;
            /**
             * Format: date-time
             * @description When the payout was transferred; null until then.
             * @example 2026-11-21T12:00:00.000Z
             */
            paid_at: string | null;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /**
             * @description `pending`: being calculated until the payout day of the period. `scheduled`: queued for transfer. `paid`: transferred. `failed`: the transfer failed, and the service tries it again.
             * @enum {string}
             */
            status: "pending" | "scheduled" | "paid" | "failed";
        };
        PayoutAccount: {
            /**
             * Format: uuid
             * @description The builder.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description The last payout from the payment account to its owner’s bank, if the bank refused it. The owner corrects the bank account by a login link. */
            bank_failure: {
                /**
                 * @description The reason, in the words of the processor.
                 * @example account_closed
                 */
                code: string;
                /**
                 * Format: date-time
                 * @description When the refused payout was begun.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                failed_at: string;
            } | null;
            /** @description The country that the builder named. */
            country: string | null;
            /** @description Whether the builder has completed onboarding. */
            details_submitted: boolean;
            /**
             * @description Why the processor has disabled the account, in its own words.
             * @example rejected.other
             */
            disabled_reason: string | null;
            /** @description Whether the builder has disconnected it. */
            disconnected: boolean;
            /** @description Whether the payment account can receive payouts. */
            payout_enabled: boolean;
            /** @description Null if the builder never asked for one. */
            processor_account_id: string | null;
            /** @description What the processor still wants to know, in its own names. A connect link asks for it. */
            requirements: string[];
        };
        /** @description All attempts, oldest first. */
        PayoutAttempts: {
            attempts: components["schemas"]["OperatorPayoutAttempt"][];
            payout: components["schemas"]["OperatorPayout"];
            /** @description The number of attempts. */
            total: number;
        };
        /** @description A page, newest first. */
        PayoutList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            payouts: components["schemas"]["Payout"][];
            /** @description The number of entries on all pages. */
            total: number;
        };
        PeriodStatus: {
            /** @description Whether the period can close: all of its hours are final. */
            closable: boolean;
            /**
             * Format: date-time
             * @description The time that `counted_through` must reach before the period can close.
             * @example 2026-11-21T12:00:00.000Z
             */
            closable_at: string;
            /**
             * Format: date-time
             * @description The watermark: every acknowledged event with `received_at` before this time is counted.
             * @example 2026-11-21T12:00:00.000Z
             */
            counted_through: string;
            /**
             * Format: date-time
             * @description The end of the period, not included.
             * @example 2026-11-21T12:00:00.000Z
             */
            ends_at: string;
            /**
             * Format: date-time
             * @description Hours that ended by this time are final: all of their events are counted, and new ones are refused.
             * @example 2026-11-21T12:00:00.000Z
             */
            final_through: string;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            starts_at: string;
        };
        /** @description A price in full; without charges the tool is free. */
        Price: {
            /** @description Whether calls with `success: false` are billed. */
            bill_failed_calls: boolean;
            charges: components["schemas"]["Charge"][];
            /** @constant */
            currency: "usd";
        };
        PriceModel: {
            /** @constant */
            type: "per_unit";
            /**
             * @description A decimal in its shortest spelling.
             * @example 0.002
             */
            unit_price_usd: string;
        } | {
            tiers: {
                /**
                 * @description A decimal in its shortest spelling.
                 * @example 0.002
                 */
                flat_price_usd: string;
                /**
                 * @description A decimal in its shortest spelling.
                 * @example 0.002
                 */
                unit_price_usd: string;
                /**
                 * @description A decimal in its shortest spelling.
                 * @example 0.002
                 */
                up_to: string | null;
            }[];
            /** @constant */
            type: "graduated";
        } | {
            tiers: {
                /**
                 * @description A decimal in its shortest spelling.
                 * @example 0.002
                 */
                flat_price_usd: string;
                /**
                 * @description A decimal in its shortest spelling.
                 * @example 0.002
                 */
                unit_price_usd: string;
                /**
                 * @description A decimal in its shortest spelling.
                 * @example 0.002
                 */
                up_to: string | null;
            }[];
            /** @constant */
            type: "volume";
        } | {
            /**
             * @description A decimal in its shortest spelling.
             * @example 0.002
             */
            package_price_usd: string;
            /**
             * @description A decimal in its shortest spelling.
             * @example 0.002
             */
            size: string;
            /** @constant */
            type: "package";
        };
        /** @description An error (RFC 9457). */
        Problem: {
            /** @description For `spending_cap_reached` and `approval_required` of an authorization: how the owner of the pass can let this call through. */
            approval?: components["schemas"]["ApprovalLink"];
            /** @description For `/readyz` on the port of the metrics: each part, with `ok` or the reason. */
            checks?: {
                [key: string]: string;
            };
            /**
             * @description The stable code: program against this.
             * @enum {string}
             */
            code: "invalid_request" | "authorization_pending" | "slow_down" | "expired_token" | "access_denied" | "consumer_not_accepted" | "unauthorized" | "invalid_credentials" | "second_factor_required" | "invalid_second_factor" | "payment_required" | "spending_cap_reached" | "approval_required" | "forbidden" | "events_scope_missing" | "read_scope_missing" | "manage_scope_missing" | "account_suspended" | "pass_refused" | "tool_not_allowed" | "operator_code_required" | "not_found" | "tool_not_found" | "authorization_not_found" | "event_not_found" | "method_not_allowed" | "request_timeout" | "email_taken" | "totp_enabled" | "operator_token_taken" | "slug_taken" | "name_taken" | "resource_taken" | "effective_from_taken" | "tool_archived" | "approval_not_open" | "idempotency_conflict" | "idempotency_in_progress" | "invoice_paid" | "charge_unresolved" | "payment_method_required" | "invoice_not_paid" | "payout_country_fixed" | "dispute_decided" | "charge_disputed" | "invoice_not_held" | "clock_moved" | "clock_moved_back" | "authorization_not_open" | "payload_too_large" | "unsupported_media_type" | "event_expired" | "authorization_exceeded" | "invoice_too_large" | "refund_too_large" | "balance_too_small" | "refund_line_unknown" | "nothing_stray" | "idempotency_key_reused" | "too_many_tools" | "too_many_price_versions" | "price_too_high" | "resource_not_proved" | "price_rise_too_soon" | "too_many_passes" | "pass_too_deep" | "too_many_keys" | "too_many_embeds" | "too_many_webhook_endpoints" | "webhook_url_refused" | "webhook_endpoint_disabled" | "too_many_operator_tokens" | "rate_limit_exceeded" | "processor_refused" | "server_error" | "unavailable" | "processor_unavailable" | "pdf_busy";
            /**
             * Format: date-time
             * @description For `event_not_found`: all events that were received before this time are counted. So a client can distinguish "not yet" from "never".
             * @example 2026-11-21T12:00:00.000Z
             */
            counted_through?: string;
            /** @description The cause of this error in words. */
            detail: string;
            /** @description For `invalid_request`: every wrong field. */
            errors?: components["schemas"]["FieldError"][];
            /**
             * @description The path of the request.
             * @example /v1/events
             */
            instance: string;
            /** @description Only the account that pays sees it. For `spending_cap_reached`: the cap. For `payment_required`: the allowance, if nothing of it is left. */
            limit?: components["schemas"]["SpendingLimit"];
            /** @description The `X-Request-Id` of this answer. */
            request_id: string;
            /**
             * Format: date-time
             * @description For `spending_cap_reached`: when the window of the cap ends; null where it has no end. For `payment_required` and `approval_required`: null.
             * @example 2026-11-21T12:00:00.000Z
             */
            resets_at?: string | null;
            /** @description The HTTP status, repeated. */
            status: number;
            /** @description The kind of problem in words; may change, unlike `code`. */
            title: string;
            /**
             * @description A stable URN made from `code`. It identifies the kind of problem and is not a link.
             * @example urn:tollgate:problem:invalid_request
             */
            type: string;
        };
        /** @description An order to the payment processor. It is stored before it is sent. */
        ProcessorAttempt: {
            /** @description Whole cents. */
            amount_usd: number;
            /** @description Why the processor refused the order; null if it did not. */
            failure_code: string | null;
            /**
             * Format: uuid
             * @description The id of the attempt.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description The number of the attempt, from 1. */
            number: number;
            /** @description The id of the object at the processor; null until it is known. */
            processor_object_id: string | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            started_at: string;
            /**
             * @description `unknown`: the outcome is looked up at the processor until it is known. `reversed`: it succeeded, and the money came back.
             * @enum {string}
             */
            status: "unknown" | "succeeded" | "failed" | "reversed";
        };
        /** @description All attempts, oldest first. */
        ProcessorAttemptList: {
            attempts: components["schemas"]["ProcessorAttempt"][];
            /** @description The number of attempts. */
            total: number;
        };
        ReconcileStep: {
            /** @description The number of rows that differ. */
            differing: number;
            /** @description Whether both sides agree. */
            equal: boolean;
            left: {
                /** @description The number of rows. */
                count: number;
                /** @description A decimal, in the unit of the step. */
                sum: string;
                /** @description The name of the compared rows. */
                what: string;
            };
            /**
             * @description The two sides of the comparison. `rollups_seals` compares usage with what the close has sealed. `own_payouts` are those of the platform’s own balance to its bank. `inbox_events` compares the webhooks that arrived with the processor’s own list of events. `cash_balance` is of all time. All four say nothing about one account.
             * @enum {string}
             */
            name: "events_rollups" | "events_keys" | "rollups_lines" | "lines_ledger" | "ledger_processor" | "caps_usage" | "grants_calls" | "rollups_seals" | "own_payouts" | "inbox_events" | "cash_balance";
            /** @description A part that could not be compared, and why; null if there is none. */
            note: string | null;
            right: {
                /** @description The number of rows. */
                count: number;
                /** @description A decimal, in the unit of the step. */
                sum: string;
                /** @description The name of the compared rows. */
                what: string;
            };
            /** @description The first rows that differ, in words. */
            rows: string[];
            /**
             * @description The unit of the sums.
             * @enum {string}
             */
            unit: "calls" | "usd" | "events";
        };
        Reconciliation: {
            /**
             * Format: uuid
             * @description Null: all accounts.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string | null;
            /** @description Whether all steps are equal. */
            equal: boolean;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /** @description From the events to the processor. */
            steps: components["schemas"]["ReconcileStep"][];
        };
        Refund: {
            /** @description Whole cents. */
            amount_usd: number;
            /** @description The part that goes back to the balance; the rest goes to the card. */
            balance_usd: number;
            /**
             * @description `dispute`: the consumer’s bank took the money back. `processor`: it was refunded at the payment processor by hand. `reinstated`: a lost dispute was won after all, so its money came back, and the amount is below zero.
             * @enum {string}
             */
            cause: "operator" | "dispute" | "processor" | "reinstated";
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /** @description Why the processor refused the order; null if it did not. */
            failure_code: string | null;
            /**
             * Format: uuid
             * @description The id of the refund.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: uuid
             * @description The refunded invoice.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            invoice_id: string;
            /** @description Whether it refunds money that no invoice needed. Then no builder gives anything back, and no invoice changes. */
            is_of_stray_money: boolean;
            /**
             * Format: uuid
             * @description The first refund of the same order. An invoice that several charges paid may need several refunds, one of each charge.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            order_id: string;
            /** @description The lines that give it back; null if all do. */
            part: components["schemas"]["RefundPart"] | null;
            /**
             * @description `pending`: the outcome at the processor is not known yet, and is looked up until it is known.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @description When the money went back; null until then.
             * @example 2026-11-21T12:00:00.000Z
             */
            succeeded_at: string | null;
        };
        /**
         * @example {
         *       "tool_id": "web-search"
         *     }
         */
        RefundedLineName: {
            /** @description Only the lines of this charge of the price. */
            charge?: number | null;
            /**
             * Format: uuid
             * @description Only the lines of this price version.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            price_id?: string | null;
            /**
             * @description Lower-case letters, digits and inner hyphens.
             * @example web-search
             */
            tool_id: string;
        };
        /** @description All refunds of one invoice, newest first. */
        RefundList: {
            refunds: components["schemas"]["Refund"][];
            /** @description The number of refunds. */
            total: number;
        };
        /**
         * @description Without `builder_id` and `lines`, all lines give back in proportion to what they have left.
         * @example {
         *       "amount_usd": 12.5
         *     }
         */
        RefundOrder: {
            /**
             * @description US dollars, at most two decimals. If not given, all that is left: of the named lines, or of the invoice.
             * @example 12.5
             */
            amount_usd?: number | null;
            /**
             * Format: uuid
             * @description Only this builder’s share: the lines of its tools.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            builder_id?: string | null;
            /** @description Only these lines of the invoice, and those of earlier invoices that its payment released. */
            lines?: components["schemas"]["RefundedLineName"][] | null;
        };
        RefundPart: {
            /**
             * Format: uuid
             * @description Null for lines of any builder.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            builder_id: string | null;
            /** @description Null: all lines. */
            lines: {
                charge: number | null;
                /**
                 * Format: uuid
                 * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
                 */
                price_id: string | null;
                tool_id: string;
            }[] | null;
        };
        /** @description What the platform earned, by month. */
        Revenue: {
            /**
             * @description All amounts are US dollars.
             * @constant
             */
            currency: "usd";
            /** @description The months with postings, newest first. */
            months: components["schemas"]["RevenueMonth"][];
        };
        RevenueMonth: {
            /** @description Platform fees that were taken, less fees that refunds gave back. */
            fees_usd: number;
            /** @description Fees and rounding, less the fees of the processor and promotions. */
            net_usd: number;
            /**
             * @description The accounting period of the postings.
             * @example 2026-11
             */
            period: string;
            /** @description The fees of the payment processor: a cost. */
            processor_fees_usd: number;
            /** @description Credits that were given away, less those that expired: a cost. */
            promotions_usd: number;
            /** @description Money without another owner; below 0 is a cost. */
            rounding_usd: number;
        };
        SandboxDispute: {
            /** @description Whole cents. */
            amount_usd: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /** @description The fee of the processor on the dispute. */
            fee_usd: number;
            /** @description The id of the dispute at the processor. */
            id: string;
            /**
             * Format: uuid
             * @description The disputed invoice.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            invoice_id: string | null;
            /**
             * @description `needs_response`: it stays open until it is decided, and its money is withdrawn. `lost`: the consumer’s bank took the money.
             * @enum {string}
             */
            outcome: "won" | "lost" | "needs_response";
            /**
             * Format: uuid
             * @description The disputed top-up.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            top_up_id: string | null;
        };
        /**
         * @example {
         *       "outcome": "won"
         *     }
         */
        SandboxDisputeDecision: {
            /**
             * @description `lost`: the consumer’s bank took the money.
             * @enum {string}
             */
            outcome: "won" | "lost";
        };
        /**
         * @example {
         *       "invoice_id": "0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b",
         *       "amount_usd": 12.5,
         *       "outcome": "needs_response"
         *     }
         */
        SandboxDisputeOrder: {
            /**
             * @description US dollars, at most two decimals.
             * @example 12.5
             */
            amount_usd?: number;
            /**
             * @description The fee of the processor on the dispute, withdrawn at once and never given back. Default: 0.
             * @example 12.5
             */
            fee_usd?: number | null;
            /**
             * Format: uuid
             * @description The disputed invoice.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            invoice_id?: string | null;
            /**
             * @description `needs_response`: it stays open until it is decided, and its money is withdrawn. `lost`: the consumer’s bank took the money.
             * @enum {string}
             */
            outcome: "won" | "lost" | "needs_response";
            /**
             * Format: uuid
             * @description The disputed top-up. Give this or `invoice_id`.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            top_up_id?: string | null;
        };
        SandboxFailure: {
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /**
             * @description `decline`: the order is refused. `timeout_before_effect`: no answer, and no money moves. `timeout_after_effect`: no answer, and the money moves. `delay`: the money moves, and the answer comes after 5 s. Only for charges: `expired_card` and `authentication_required`, with which the bank refuses until the consumer sets up or confirms a card. Only for transfers: `insufficient_funds`: the platform’s balance is too small; `reverse_later`: the transfer succeeds and is reversed an hour later.
             * @enum {string}
             */
            failure: "decline" | "timeout_before_effect" | "timeout_after_effect" | "delay" | "expired_card" | "authentication_required" | "insufficient_funds" | "reverse_later";
            /**
             * Format: uuid
             * @description The id of the failure.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: uuid
             * @description Null: orders of any invoice.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            invoice_id: string | null;
            /**
             * @description `charge`: money from a consumer. `refund`: money back to a consumer. `transfer`: a payout to a builder.
             * @enum {string}
             */
            on: "charge" | "refund" | "transfer";
            /**
             * Format: uuid
             * @description Null: orders of any payout.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            payout_id: string | null;
            /** @description The number of orders that still will fail. */
            times: number;
        };
        /** @description Failures that no order has taken yet, the oldest first. */
        SandboxFailureList: {
            failures: components["schemas"]["SandboxFailure"][];
            /** @description The number of failures. */
            total: number;
        };
        /**
         * @example {
         *       "on": "charge",
         *       "failure": "decline",
         *       "times": 1
         *     }
         */
        SandboxFailureScript: {
            /**
             * @description `decline`: the order is refused. `timeout_before_effect`: no answer, and no money moves. `timeout_after_effect`: no answer, and the money moves. `delay`: the money moves, and the answer comes after 5 s. Only for charges: `expired_card` and `authentication_required`, with which the bank refuses until the consumer sets up or confirms a card. Only for transfers: `insufficient_funds`: the platform’s balance is too small; `reverse_later`: the transfer succeeds and is reversed an hour later.
             * @enum {string}
             */
            failure: "decline" | "timeout_before_effect" | "timeout_after_effect" | "delay" | "expired_card" | "authentication_required" | "insufficient_funds" | "reverse_later";
            /**
             * Format: uuid
             * @description Only with charges or refunds of this invoice.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            invoice_id?: string | null;
            /**
             * @description `charge`: money from a consumer. `refund`: money back to a consumer. `transfer`: a payout to a builder.
             * @enum {string}
             */
            on: "charge" | "refund" | "transfer";
            /**
             * Format: uuid
             * @description Only with transfers of this payout.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            payout_id?: string | null;
            /** @description The number of orders that fail. Default: 1. */
            times?: number | null;
        };
        SandboxOwnPayout: {
            /** @description Whole cents. */
            amount_usd: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /** @description The id of the payout at the processor. */
            id: string;
            /**
             * @description `returned`: the bank sends the money back an hour later.
             * @enum {string}
             */
            outcome: "paid" | "returned";
        };
        /**
         * @example {
         *       "amount_usd": 250
         *     }
         */
        SandboxOwnPayoutOrder: {
            /**
             * @description US dollars, at most two decimals.
             * @example 12.5
             */
            amount_usd?: number;
            /**
             * @description What the bank does with it. Default: `paid`.
             * @enum {string|null}
             */
            outcome?: "paid" | "returned" | null;
        };
        /** @description An alert is raised when a part of a cap is spent (once per cap, window and part), when less of a balance can be spent than a threshold, when an automatic top-up fails, and when its monthly limit is reached. */
        SpendingAlert: {
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description The threshold that the balance fell below; else null. */
            below_usd: number | null;
            /** @description The amount of the cap. For a balance: what calls may come to that no invoice has billed. */
            cap_usd: number;
            /** @description Why an automatic top-up failed; else null. */
            failure_code: string | null;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description The part of the cap that is spent, in percent. */
            percent: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            raised_at: string;
            /**
             * @description What the cap limits.
             * @enum {string}
             */
            scope: "account" | "pass" | "balance" | "auto_top_up";
            /**
             * Format: uuid
             * @description The account or the pass.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            scope_id: string;
            /** @description US dollars, up to six decimals. */
            spent_usd: number;
            /**
             * @description `spending.limit_reached`: all of a cap is spent. `balance.low`: a balance fell below a threshold.
             * @enum {string}
             */
            type: "spending.threshold_reached" | "spending.limit_reached" | "balance.low" | "auto_top_up.failed" | "auto_top_up.limit_reached";
            /**
             * Format: date-time
             * @description When the window of the cap began. For a balance: when the threshold was set, or was first seen to be reached again after its last alert.
             * @example 2026-11-21T12:00:00.000Z
             */
            window_start: string;
        };
        /** @description A page, newest first. */
        SpendingAlertList: {
            alerts: components["schemas"]["SpendingAlert"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        SpendingLimit: {
            /** @description US dollars, up to six decimals. */
            cap_usd: number;
            /** @description What is held for calls that are authorized or not counted yet. */
            held_usd: number;
            /** @description The most that the refused call can come to. */
            needed_usd: number;
            /**
             * Format: date-time
             * @description When the window ends, and the cap is free again; null where it has no end.
             * @example 2026-11-21T12:00:00.000Z
             */
            resets_at: string | null;
            /**
             * @description What the cap limits. `call`: the `per_call_max_usd` of the pass. `balance`: the balance with the credit limit, less what invoices bill and nothing has paid. `allowance`: what an account without a payment method may owe, with its balance, less the same.
             * @enum {string}
             */
            scope: "account" | "pass" | "call" | "balance" | "allowance";
            /** @description What counted calls of the window came to; of a balance or an allowance, those that no invoice has billed. */
            spent_usd: number;
        };
        StrayMoney: {
            /**
             * Format: uuid
             * @description The consumer whose money it is.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description The whole amount. */
            amount_usd: number;
            /**
             * Format: uuid
             * @description The order whose money it is. It names the money.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            attempt_id: string;
            /**
             * Format: uuid
             * @description The invoice of the order.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            invoice_id: string;
            /**
             * @description `charge`: it succeeded for an invoice that needed no payment. `returned_refund`: the bank of the consumer sent a refund back.
             * @enum {string}
             */
            kind: "charge" | "returned_refund";
            /** @description The part that is neither refunded nor about to be. */
            left_usd: number;
            /**
             * Format: date-time
             * @description When the order was settled.
             * @example 2026-11-21T12:00:00.000Z
             */
            since: string;
        };
        /** @description Collected money that belongs to no invoice and no builder, oldest first. */
        StrayMoneyList: {
            /** @description The sum of what is left. */
            left_usd: number;
            stray_money: components["schemas"]["StrayMoney"][];
            /** @description The number of orders. */
            total: number;
        };
        /** @description The balances of the ledger. */
        TrialBalance: {
            /** @description Each kind of ledger account once. */
            accounts: components["schemas"]["TrialBalanceAccount"][];
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            as_of: string;
            /** @description The sum of the credits. */
            credit_usd: number;
            /**
             * @description All amounts are US dollars.
             * @constant
             */
            currency: "usd";
            /** @description The sum of the debits. It equals `credit_usd`. */
            debit_usd: number;
            /**
             * @description The month at whose end these balances stand. `null`: they count all postings.
             * @example 2026-11
             */
            period: string | null;
        };
        TrialBalanceAccount: {
            /**
             * @description The kind of ledger account, over all of its owners.
             * @enum {string}
             */
            account: "receivable" | "consumer_balance" | "refund_in_transit" | "part_paid" | "builder_earned" | "builder_payable" | "in_transit" | "platform_fees" | "cash" | "bank" | "disputed" | "processor_fees" | "promotions" | "rounding";
            /** @description The balance, if it is a credit; else 0. */
            credit_usd: number;
            /** @description The balance, if it is a debit; else 0. */
            debit_usd: number;
        };
        UnclosedConsumer: {
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description How many attempts have failed. */
            failures: number;
            /**
             * @description The first period that the consumer has no invoice of.
             * @example 2026-11
             */
            period: string;
            /** @description The error of the last attempt. */
            reason: string;
            /**
             * Format: date-time
             * @description When the next attempt is due.
             * @example 2026-11-21T12:00:00.000Z
             */
            retry_at: string;
            /**
             * Format: date-time
             * @description When the first attempt failed.
             * @example 2026-11-21T12:00:00.000Z
             */
            set_aside_at: string;
        };
        /** @description A page, newest first. */
        UnclosedConsumerList: {
            consumers: components["schemas"]["UnclosedConsumer"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /** @description An order to the processor whose outcome is not known. */
        UnknownOutcome: {
            /**
             * Format: uuid
             * @description The consumer or builder; null if it is of none.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string | null;
            /** @description Whole cents. */
            amount_usd: number;
            /**
             * Format: uuid
             * @description The id of the order.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            attempt_id: string;
            /**
             * Format: uuid
             * @description The invoice that is charged or refunded; null if it is of none.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            invoice_id: string | null;
            /**
             * @description `charge`: of an invoice or a top-up. `refund`: of one of these. `transfer`: a payout.
             * @enum {string}
             */
            kind: "charge" | "refund" | "transfer";
            /**
             * Format: date-time
             * @description When its outcome is looked up next.
             * @example 2026-11-21T12:00:00.000Z
             */
            look_at: string | null;
            /**
             * Format: uuid
             * @description The payout that is transferred; null if it is of none.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            payout_id: string | null;
            /** @description `sandbox` or `stripe`. */
            processor: string;
            /**
             * Format: date-time
             * @description When it was stored, before it was sent.
             * @example 2026-11-21T12:00:00.000Z
             */
            started_at: string;
        };
        /** @description A page, oldest first. */
        UnknownOutcomeList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            orders: components["schemas"]["UnknownOutcome"][];
            /** @description The number of entries on all pages. */
            total: number;
        };
        UsageAlert: {
            /**
             * Format: uuid
             * @description The consumer.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /**
             * @description Calls within 24 hours.
             * @example 120000
             */
            calls: string;
            /**
             * @description The UTC day on which the 24 hours ended.
             * @example 2026-11-21
             */
            day: string;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was noticed.
             * @example 2026-11-21T12:00:00.000Z
             */
            raised_at: string;
            /** @description The slug of the tool. */
            tool_id: string;
            /**
             * @description Calls per day in the 28 days before.
             * @example 310.5
             */
            usual_calls: string;
        };
        /** @description A page, newest first. */
        UsageAlertList: {
            alerts: components["schemas"]["UsageAlert"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /** @description The new account. */
        WebhookAccount: {
            /**
             * Format: uuid
             * @description The id of the account: `consumer_id` of its calls.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /** @description Trimmed and lower-cased. */
            email: string;
            /**
             * Format: date-time
             * @description When a mail server said that the address takes no mail. Then none is sent there, until its owner follows a link that came there. Null: it takes mail, as far as is known.
             * @example 2026-11-21T12:00:00.000Z
             */
            email_bounced_at: string | null;
            /** @description Whether its owner has followed a link that came there by mail. Nothing is refused for want of it. */
            email_verified: boolean;
            /** @description Whether its browsers open the operator’s routes, with a second factor. */
            operator: boolean;
            /**
             * @description The name by which people know who sells its tools. Nobody has verified it. Null: it has none.
             * @example Weather House
             */
            public_name: string | null;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The API key after the change, without the key itself. */
        WebhookApiKey: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /**
             * @description What the key opens: `events` records, authorizes and reads its authorizations, `read` opens GET and makes embeds, `manage` all other changes.
             * @example [
             *       "events"
             *     ]
             */
            can: ("events" | "read" | "manage")[];
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From this time on it is refused; null for never.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: uuid
             * @description The id of the key. It is no secret.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description The last four characters of the key.
             * @example x7Qd
             */
            last_four: string;
            /**
             * Format: date-time
             * @description Null if never used; may lag by minutes.
             * @example 2026-11-21T12:00:00.000Z
             */
            last_used_at: string | null;
            /** @description The name from its creation. */
            name: string;
            /**
             * @description The first characters of the key.
             * @example tg_live_
             */
            prefix: string;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The refund after the change, with at most 50 of its parts. */
        WebhookBalanceRefund: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description What left the balance when it was ordered: the sum of the parts. */
            amount_usd: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /** @constant */
            currency: "usd";
            /**
             * Format: uuid
             * @description The id of the refund.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description One per top-up, the newest first. */
            parts: components["schemas"]["BalanceRefundPart"][];
            /** @description What has gone back to cards. */
            refunded_usd: number;
            /**
             * @description `pending`: the payment processor has not said the outcome of each part; it is asked again until it has. `failed`: the money of each part that failed is on the balance again.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description A tool of which the first call was counted. */
        WebhookCalledTool: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /**
             * Format: date-time
             * @description When the call happened.
             * @example 2026-11-21T12:00:00.000Z
             */
            first_called_at: string;
            /** @description For people. */
            name: string;
            /** @description The slug of the tool. */
            slug: string;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description What a client of OAuth may spend, after the change. */
        WebhookConsent: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description The client that may spend. */
            client_id: string;
            /** @description How the client calls itself. */
            client_name: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            consented_at: string;
            /**
             * Format: date-time
             * @description Null while it counts.
             * @example 2026-11-21T12:00:00.000Z
             */
            ended_at: string | null;
            /**
             * Format: uuid
             * @description The id of the consent.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: uuid
             * @description The pass that says how much. To revoke it ends the consent.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            pass_id: string;
            /** @description The address at which it may spend. */
            resource: string;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The credit after the change. */
        WebhookCredit: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description Whole cents. */
            amount_usd: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The credit pays for calls from this time on, from the full hour; null for a top-up, which pays for calls of any time.
             * @example 2026-11-21T12:00:00.000Z
             */
            effective_from: string | null;
            /**
             * Format: date-time
             * @description The credit pays for calls until this time, to the full hour, also when they are invoiced later; the rest is taken back when all of them are counted. Money that comes back to it may be used for 30 days. Null: never.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: uuid
             * @description The id of the credit.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description The part that is not spent yet. */
            left_usd: number;
            /**
             * Format: uuid
             * @description The top-up that this credit comes from; null if the operator granted it.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            top_up_id: string | null;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The credit note, without its lines. */
        WebhookCreditNote: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description Whole cents. Below 0 if money of a lost dispute came back. */
            amount_usd: number;
            /**
             * @description The cause of its refund.
             * @enum {string}
             */
            cause: "operator" | "dispute" | "processor" | "reinstated";
            /** @constant */
            currency: "usd";
            /**
             * Format: uuid
             * @description The id of the credit note, and of its refund.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: uuid
             * @description The invoice that it credits, which stays as it was issued.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            invoice_id: string;
            /** @description The number of that invoice. */
            invoice_number: number;
            /**
             * Format: date-time
             * @description When the money went back.
             * @example 2026-11-21T12:00:00.000Z
             */
            issued_at: string;
            /** @description The number of the note, without gaps over all notes. */
            number: number;
            /**
             * @description The month of that invoice.
             * @example 2026-11
             */
            period: string;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The dead letter, without its record. */
        WebhookDeadLetter: {
            /** @description The stable code of the reason. */
            code: string;
            /**
             * Format: uuid
             * @description Null, like the next three fields, if the record cannot be read.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            consumer_id: string | null;
            /**
             * Format: uuid
             * @description The id of the event.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            event_id: string | null;
            /**
             * @description The place of the record in the log: topic, partition and offset.
             * @example usage.events.v1:0:42
             */
            id: string;
            /** @description The place in the partition. */
            offset: number;
            /** @description The partition of the topic. */
            partition: number;
            /** @description The reason in words. */
            reason: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            received_at: string | null;
            /** @description The place in the log after the replay. If the record is refused again, this is the id of the new dead letter. */
            replayed_as: string | null;
            /**
             * Format: date-time
             * @description When the record was last replayed.
             * @example 2026-11-21T12:00:00.000Z
             */
            replayed_at: string | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            stored_at: string;
            /** @description The slug of the tool. */
            tool_id: string | null;
            /** @description The topic of the log. */
            topic: string;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description What the nightly check found. The log of the service names the rows. */
        WebhookDifference: {
            /**
             * @description `ledger`: ledger, invoices and payouts. `rollups`: the sums of counted calls.
             * @enum {string}
             */
            books: "ledger" | "rollups";
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            checked_at: string;
            /** @description Rules of the ledger that do not hold, or rows that differ. */
            differences: number;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        WebhookDisabledEndpoint: {
            /**
             * Format: uuid
             * @description The id of the endpoint.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description `gone`: it answered 410. `failing`: it answered no event with success for five days.
             * @enum {string}
             */
            reason: "gone" | "failing";
            /** @description Its address. */
            url: string;
        };
        /** @description A dispute of a charge, after the change. */
        WebhookDispute: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description Whole cents. */
            amount_usd: number;
            /**
             * Format: date-time
             * @description Null while it is open.
             * @example 2026-11-21T12:00:00.000Z
             */
            closed_at: string | null;
            /** @constant */
            currency: "usd";
            /**
             * Format: uuid
             * @description The id of the dispute.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: uuid
             * @description The disputed invoice; null if it is of a top-up.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            invoice_id: string | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            opened_at: string;
            /**
             * @description `lost`: the bank of the consumer took the money. `won`: the payment stands.
             * @enum {string}
             */
            status: "open" | "won" | "lost";
            /**
             * Format: uuid
             * @description The disputed top-up; null if it is of an invoice.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            top_up_id: string | null;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description An address that is told what happens. */
        WebhookEndpoint: {
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            description: string | null;
            /**
             * @description Null while it is enabled. `owner`: you disabled it. `gone`: it answered 410. `failing`: it answered nothing with success for five days.
             * @enum {string|null}
             */
            disabled_reason: "owner" | "gone" | "failing" | null;
            enabled: boolean;
            /**
             * Format: date-time
             * @description Its first failure since its last success; null if its last answer was a success.
             * @example 2026-11-21T12:00:00.000Z
             */
            failing_since: string | null;
            /**
             * Format: uuid
             * @description The id of the endpoint.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description What it is told. Null: everything. */
            types: string[] | null;
            url: string;
        };
        /** @description All of them, oldest first: at most 10. */
        WebhookEndpointList: {
            /** @description The number of endpoints. */
            total: number;
            webhook_endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        /**
         * @description Only the fields that are sent change.
         * @example {
         *       "enabled": true
         *     }
         */
        WebhookEndpointUpdate: {
            /** @description For you, to tell endpoints apart. */
            description?: string | null;
            /** @description A disabled endpoint is told nothing of what happens. What was on its way to it waits until it is enabled again. */
            enabled?: boolean;
            /**
             * @description What it is told. Null: everything.
             * @example [
             *       "invoice.paid",
             *       "payout.paid"
             *     ]
             */
            types?: ("invoice.issued" | "invoice.paid" | "invoice.payment_failed" | "invoice.past_due" | "invoice.uncollectible" | "invoice.voided" | "invoice.refunded" | "credit_note.issued" | "payment_method.updated" | "payment_method.removed" | "dispute.opened" | "dispute.won" | "dispute.lost" | "balance.topped_up" | "top_up.failed" | "balance.refunded" | "credit.granted" | "credit.expired" | "payout.scheduled" | "payout.paid" | "payout.failed" | "payout.reversed" | "payout_account.connected" | "payout_account.updated" | "payout_account.disconnected" | "spending.threshold_reached" | "spending.limit_reached" | "spending.forecast_exceeds_budget" | "spending.anomaly" | "balance.low" | "auto_top_up.failed" | "auto_top_up.limit_reached" | "tool.created" | "tool.price_added" | "tool.archived" | "tool.first_call" | "api_key.created" | "api_key.revoked" | "api_key.expired" | "oauth.consent_given" | "oauth.consent_revoked" | "webhook_endpoint.disabled" | "account.registered" | "dead_letter.stored" | "ledger.difference_found")[] | null;
            /**
             * @description An https address of yours, at port 443 or from 1024 on. It must lead to the public Internet, and no user name may be in it.
             * @example https://example.com/tollgate
             */
            url?: string;
        };
        WebhookEvent: {
            /** @description The object after the change, by the schema of the type. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: uuid
             * @description The id of the event: the header `webhook-id` of each of its webhooks.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T12:00:00.000Z
             */
            timestamp: string;
            /** @example invoice.paid */
            type: string;
        };
        /** @description The forecast, as `GET /v1/billing/forecast` showed it then. */
        WebhookForecast: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /**
             * Format: date
             * @description The day (UTC) on which the expected spending reaches the budget, or has reached it. Null if it does not within the month.
             */
            budget_ends_on: string | null;
            /** @description The budget of the month; null if the account has none, or one of each day. */
            budget_usd: number | null;
            /** @description An estimate: one month in ten ends above it. */
            estimated_high_usd: number | null;
            /** @description An estimate: one month in ten ends below it. */
            estimated_low_usd: number | null;
            /** @description An estimate: what the month will come to if the account goes on as it did. Null with less than 14 days of history. */
            estimated_usd: number | null;
            /** @description The whole days since the first call that it was learned from, 42 at most. */
            history_days: number;
            /**
             * @description The month that is forecast, in UTC.
             * @example 2026-11
             */
            period: string;
            /** @description What the calls of the month before `through` came to. */
            spent_usd: number;
            /**
             * Format: date-time
             * @description The calls before this hour are what it was made of.
             * @example 2026-11-21T12:00:00.000Z
             */
            through: string;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The invoice after the change, without its lines. */
        WebhookInvoice: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description The part of the total that the balance paid; the card pays the rest. */
            balance_paid_usd: number;
            /** @description The part of the total that the card has paid so far. An invoice above the maximum of one charge is charged in parts. */
            card_paid_usd: number;
            /** @description The amount that earlier invoices did not bill. */
            carried_in_usd: number;
            /** @description The amount that is left for the next invoice. */
            carried_out_usd: number;
            /** @description The sum of the lines. */
            charge_usd: number;
            /**
             * @description All amounts are US dollars.
             * @constant
             */
            currency: "usd";
            /**
             * Format: date-time
             * @description When it must be paid.
             * @example 2026-11-21T12:00:00.000Z
             */
            due_at: string;
            /**
             * @description Why it is not charged although it is due. `confirmation`: it is above the bound of one collection, and the operator confirms it first. `payment_method`: there is no payment method, or the one on file was refused for good. `authentication`: the bank wants its cardholder to confirm. For both, `POST /v1/billing/payment-method` links to a page where the consumer sets up or confirms a card, and everything that is owed is charged at once. Null: nothing holds it.
             * @enum {string|null}
             */
            held_for: "confirmation" | "payment_method" | "authentication" | null;
            /**
             * Format: uuid
             * @description The id of the invoice.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: date-time
             * @description When the period was closed.
             * @example 2026-11-21T12:00:00.000Z
             */
            issued_at: string;
            /** @description The invoice number, without gaps over all invoices. */
            number: number;
            /**
             * Format: date-time
             * @description Null until it is paid.
             * @example 2026-11-21T12:00:00.000Z
             */
            paid_at: string | null;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /** @description The refunds so far: whole cents. */
            refunded_usd: number;
            /**
             * @description `open`: to be paid. `carried`: it bills 0, and its amount is carried into the next invoice. `past_due`: unpaid for two weeks. `uncollectible`: written off. `void`: never owed.
             * @enum {string}
             */
            status: "open" | "paid" | "carried" | "past_due" | "uncollectible" | "void";
            /** @description The billed amount: whole cents, rounded down; 0 below the minimum. */
            total_usd: number;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The payment method. `payment_method.removed` shows the one that was there. */
        WebhookPaymentMethod: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /**
             * @description The kind of card or account, in lower case.
             * @example visa
             */
            brand: string;
            /** @description The month of expiry, 1 to 12. */
            exp_month: number;
            /** @description The year of expiry, four digits. */
            exp_year: number;
            /**
             * @description The last four digits.
             * @example 4242
             */
            last4: string;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The payout after the change. */
        WebhookPayout: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description Gross: always `net_usd` + `fee_usd`. */
            amount_usd: number;
            /** @description The platform fee; below 0 if refunds returned more of it. */
            fee_usd: number;
            /**
             * Format: uuid
             * @description The id does not change, from `pending` on.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description The amount that is transferred. If refunds take a part of a failed payout, it is lowered. For a pending payout it may be below 0, if more was refunded. */
            net_usd: number;
            /**
             * Format: date-time
             * @description When the payout was transferred; null until then.
             * @example 2026-11-21T12:00:00.000Z
             */
            paid_at: string | null;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /**
             * @description `pending`: being calculated until the payout day of the period. `scheduled`: queued for transfer. `paid`: transferred. `failed`: the transfer failed, and the service tries it again.
             * @enum {string}
             */
            status: "pending" | "scheduled" | "paid" | "failed";
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The payout account after the change, without the balance. */
        WebhookPayoutAccount: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description The last payout from the payment account to its owner’s bank, if the bank refused it. The owner corrects the bank account by a login link. */
            bank_failure: {
                /**
                 * @description The reason, in the words of the processor.
                 * @example account_closed
                 */
                code: string;
                /**
                 * Format: date-time
                 * @description When the refused payout was begun.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                failed_at: string;
            } | null;
            /**
             * @description Why the processor has disabled the account, in its own words.
             * @example rejected.other
             */
            disabled_reason: string | null;
            /** @description Whether the payment account can receive payouts. */
            payout_enabled: boolean;
            /**
             * @description Null before connecting and after disconnecting.
             * @example acct_sandbox_7Qm2
             */
            processor_account_id: string | null;
            /** @description Whether the external payment account is connected. */
            processor_connected: boolean;
            /** @description What the processor still wants to know, in its own names. A connect link asks for it. */
            requirements: string[];
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /**
         * @example {
         *       "grace_seconds": 3600
         *     }
         */
        WebhookSecretRotation: {
            /**
             * @description Seconds for which each webhook is signed with the earlier secret, too. Default: 0.
             * @example 3600
             */
            grace_seconds?: number | null;
        };
        /** @description The alert, as `GET /v1/billing/alerts` lists it. */
        WebhookSpendingAlert: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description The threshold that the balance fell below; else null. */
            below_usd: number | null;
            /** @description The amount of the cap. For a balance: what calls may come to that no invoice has billed. */
            cap_usd: number;
            /** @description Why an automatic top-up failed; else null. */
            failure_code: string | null;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description The part of the cap that is spent, in percent. */
            percent: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            raised_at: string;
            /**
             * @description What the cap limits.
             * @enum {string}
             */
            scope: "account" | "pass" | "balance" | "auto_top_up";
            /**
             * Format: uuid
             * @description The account or the pass.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            scope_id: string;
            /** @description US dollars, up to six decimals. */
            spent_usd: number;
            /**
             * @description `spending.limit_reached`: all of a cap is spent. `balance.low`: a balance fell below a threshold.
             * @enum {string}
             */
            type: "spending.threshold_reached" | "spending.limit_reached" | "balance.low" | "auto_top_up.failed" | "auto_top_up.limit_reached";
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
            /**
             * Format: date-time
             * @description When the window of the cap began. For a balance: when the threshold was set, or was first seen to be reached again after its last alert.
             * @example 2026-11-21T12:00:00.000Z
             */
            window_start: string;
        };
        WebhookSpendingAnomaly: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            from: string;
            /**
             * Format: uuid
             * @description The id of the alert.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            raised_at: string;
            /**
             * @description The narrowest that spends more than usual.
             * @enum {string}
             */
            scope: "pass" | "tool" | "account";
            /** @description The id of the pass, the tool or the account. */
            scope_id: string;
            /** @description The spending from `from` to `to`. */
            spent_usd: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            to: string;
            /** @description The usual spending in the same hours of a day, in the six weeks before. */
            usual_usd: number;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
            /**
             * @description An hour, or 24 hours.
             * @enum {string}
             */
            window: "hour" | "day";
        };
        WebhookTest: {
            /**
             * Format: uuid
             * @description The endpoint that is tested.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            endpoint_id: string;
        };
        /** @description The tool after the change, with the price that was in force. */
        WebhookTool: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description Whether the tool takes no events any more. This is final. */
            archived: boolean;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /** @description The `max` of an authorization that gives none; null: authorizations must give one. */
            default_max: components["schemas"]["AuthorizedMax"] | null;
            /** @description Null if it was never set. */
            description: string | null;
            /** @description For people. */
            name: string;
            /** @description Null if it has more than 10,000 bytes: read it by its route. */
            price: components["schemas"]["Price"] | null;
            /**
             * @description The URL of the MCP server that serves the tool: OAuth tokens for it open the tool. Null for none.
             * @example https://mcp.example.com/mcp
             */
            resource: string | null;
            /**
             * @description The name of the tool in paths and events; `tool_id` of its events.
             * @example web-search
             */
            slug: string;
            /**
             * @description The public name of the account that sells it. Nobody has verified it. Null: it has none.
             * @example Weather House
             */
            sold_by: string | null;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The price version that was added. */
        WebhookToolPrice: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Null for the first version, which applies to any earlier time.
             * @example 2026-11-21T12:00:00.000Z
             */
            effective_from: string | null;
            /**
             * Format: uuid
             * @description The id of the version: `price_id` of invoice lines.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description Null if it has more than 10,000 bytes: read it by its route. */
            price: components["schemas"]["Price"] | null;
            /** @description The slug of the tool. */
            slug: string;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
        /** @description The top-up after the change. */
        WebhookTopUp: {
            /**
             * Format: uuid
             * @description The account that it concerns.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            account_id: string;
            /** @description Whole cents. */
            amount_usd: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /** @constant */
            currency: "usd";
            /** @description Why the charge failed, in the processor’s words. */
            failure_code: string | null;
            /**
             * Format: uuid
             * @description The id of the top-up.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description Whether it was an automatic top-up. */
            is_automatic: boolean;
            /**
             * @description `pending`: the payment processor has not said the outcome; it is asked again until it has. `failed`: nothing was charged; order another one.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @description When the money came onto the balance.
             * @example 2026-11-21T12:00:00.000Z
             */
            succeeded_at: string | null;
            /** @description Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer. */
            version: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAccounts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description Only the account with this e-mail. */
                email?: string;
                /** @description The most entries per page. */
                limit?: number;
                /** @description Only accounts that are, or are not, suspended. */
                status?: "active" | "suspended";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountList"];
                };
            };
        };
    };
    findAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorAccount"];
                };
            };
        };
    };
    revokeApiKeysOfAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No API key of the account is alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedCredentials"];
                };
            };
        };
    };
    listBalanceRefundsOfAccount: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
            };
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of refunds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceRefundList"];
                };
            };
        };
    };
    getCreditLimit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditLimit"];
                };
            };
        };
    };
    setCreditLimit: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credit_limit_usd": 100
                 *     }
                 */
                "application/json": components["schemas"]["CreditLimitInput"];
            };
        };
        responses: {
            /** @description The limit now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditLimit"];
                };
            };
        };
    };
    listCredits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All credits of the account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditList"];
                };
            };
        };
    };
    grantCredit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_usd": 25,
                 *       "reason": "welcome"
                 *     }
                 */
                "application/json": components["schemas"]["CreditOrder"];
            };
        };
        responses: {
            /** @description The credit. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credit"];
                };
            };
        };
    };
    getPayoutAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
        };
    };
    listPayoutsOfAccount: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
                /** @description Only the payout of this month. */
                period?: string;
                /** @description Only payouts with this status. */
                status?: "pending" | "scheduled" | "paid" | "failed";
            };
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutList"];
                };
            };
        };
    };
    resumeAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account is not suspended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorAccount"];
                };
            };
        };
    };
    endSessionsOfAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No session of the account is alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedCredentials"];
                };
            };
        };
    };
    suspendAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "stolen card, case 4711"
                 *     }
                 */
                "application/json": components["schemas"]["AccountSuspend"];
            };
        };
        responses: {
            /** @description The account is suspended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorAccount"];
                };
            };
        };
    };
    getAging: {
        parameters: {
            query?: {
                /** @description `csv`: the entries as a table with a header line, in place of JSON. The header `X-Next-Cursor` then has the cursor of the next page. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums by age. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Aging"];
                    "text/csv": string;
                };
            };
        };
    };
    listAllSpendingAlerts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of alerts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpendingAlertList"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Only acts that concern this account. */
                account_id?: string;
                /** @description Only acts of this kind. */
                action?: "account.registered" | "account.signed_in" | "device_login.approved" | "session.ended" | "api_key.created" | "api_key.revoked" | "embed.created" | "embed_origins.changed" | "pass.created" | "pass.changed" | "pass.rotated" | "pass.revoked" | "call.approved" | "call.refused" | "password.changed" | "email.confirmed" | "second_factor.added" | "second_factor.removed" | "second_factor.proved" | "recovery_codes.replaced" | "account.suspended" | "account.resumed" | "account.named" | "account.closed" | "account.erased" | "tool.created" | "tool.changed" | "tool.archived" | "price.added" | "payout_account.linked" | "payout_account.changed" | "payout_account.disconnected" | "billing_details.changed" | "payment_method.linked" | "payment_method.changed" | "payment_method.removed" | "invoice.refunded" | "stray_money.returned" | "invoice.voided" | "invoice.confirmed" | "credit.granted" | "top_up.ordered" | "balance.refunded" | "credit_limit.changed" | "auto_top_up.changed" | "auto_top_up.removed" | "balance_alerts.changed" | "webhook_endpoint.created" | "webhook_endpoint.changed" | "webhook_endpoint.removed" | "webhook_endpoint.secret_rotated" | "notification_preferences.changed" | "clock.moved" | "data.exported" | "signing_key.rotated" | "operator_totp.enabled" | "operator_totp.disabled" | "operator_code.created" | "operator_token.created" | "operator_token.revoked" | "operator_token.rotated" | "operator_token.used" | "operator_account.granted" | "operator_account.revoked";
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description `csv`: the entries as a table with a header line, in place of JSON. The header `X-Next-Cursor` then has the cursor of the next page. */
                format?: "json" | "csv";
                /** @description Only acts at or after this time. */
                from?: string;
                /** @description The most entries per page. */
                limit?: number;
                /** @description Only acts before this time. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of acts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActList"];
                    "text/csv": string;
                };
            };
        };
    };
    createOperatorCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["NewOperatorCode"];
            };
        };
        responses: {
            /** @description A code for this token, for ten minutes. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCode"];
                };
            };
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description Only dead letters with this code, such as `idempotency_conflict`. */
                code?: string;
                /** @description Only dead letters of this account. */
                consumer_id?: string;
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
                /** @description Only dead letters that were, or were not, replayed. */
                replayed?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of dead letters. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterList"];
                };
            };
        };
    };
    getDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The place of the record in the log: topic, partition and offset. */
                dead_letter_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dead letter with its reason. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterWithRecord"];
                };
            };
        };
    };
    replayDeadLetter: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                /** @description The place of the record in the log: topic, partition and offset. */
                dead_letter_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record is in the log again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterWithRecord"];
                };
            };
        };
    };
    listErasures: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of closed accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountClosureList"];
                };
            };
        };
    };
    getFees: {
        parameters: {
            query?: {
                /** @description `csv`: the entries as a table with a header line, in place of JSON. The header `X-Next-Cursor` then has the cursor of the next page. */
                format?: "json" | "csv";
                /** @description The first month. Default: the first month with revenue. */
                from?: string;
                /** @description The last month. Default: the last month with revenue. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The months. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fees"];
                    "text/csv": string;
                };
            };
        };
    };
    listAllInvoices: {
        parameters: {
            query?: {
                /** @description Only those of this account. */
                account_id?: string;
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description `csv`: the entries as a table with a header line, in place of JSON. The header `X-Next-Cursor` then has the cursor of the next page. */
                format?: "json" | "csv";
                /** @description Only invoices that wait for a confirmation. */
                held?: "true";
                /** @description Only this invoice. */
                invoice_id?: string;
                /** @description The most entries per page. */
                limit?: number;
                /** @description Only the invoice of this month. */
                period?: string;
                /** @description Only invoices with this status. */
                status?: "open" | "paid" | "carried" | "past_due" | "uncollectible" | "void";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invoices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceSummaryList"];
                    "text/csv": string;
                };
            };
        };
    };
    listInvoiceAttempts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All charges that were ordered for the invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessorAttemptList"];
                };
            };
        };
    };
    confirmInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The confirmed invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All refunds of the invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundList"];
                };
            };
        };
    };
    refundInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_usd": 12.5
                 *     }
                 */
                "application/json": components["schemas"]["RefundOrder"];
            };
        };
        responses: {
            /** @description The current state of the refund, the first of its order. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    voidInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The voided invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    getMoneyPath: {
        parameters: {
            query: {
                /** @description A calendar month in UTC. */
                period: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums of the month. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoneyPath"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOverview"];
                };
            };
        };
    };
    listAllPayouts: {
        parameters: {
            query?: {
                /** @description Only those of this account. */
                account_id?: string;
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description Only failed payouts whose first failure is at least this many days ago. */
                failing_for_days?: number;
                /** @description `csv`: the entries as a table with a header line, in place of JSON. The header `X-Next-Cursor` then has the cursor of the next page. */
                format?: "json" | "csv";
                /** @description The most entries per page. */
                limit?: number;
                /** @description Only the payouts of this month. */
                period?: string;
                /** @description Only payouts with this status. Pending payouts are computed per account and are not listed. */
                status?: "scheduled" | "paid" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorPayoutList"];
                    "text/csv": string;
                };
            };
        };
    };
    listPayoutAttempts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All attempts, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAttempts"];
                };
            };
        };
    };
    getPeriodStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A calendar month in UTC. */
                period: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The progress of the period. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeriodStatus"];
                };
            };
        };
    };
    reconcile: {
        parameters: {
            query: {
                /** @description Only usage and earnings of this account. */
                account?: string;
                /** @description Compares the key of every kept event. By default a sample of each day. */
                keys?: "all";
                /** @description A calendar month in UTC. */
                period: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comparison, equal or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reconciliation"];
                };
            };
        };
    };
    getRevenue: {
        parameters: {
            query?: {
                /** @description `csv`: the entries as a table with a header line, in place of JSON. The header `X-Next-Cursor` then has the cursor of the next page. */
                format?: "json" | "csv";
                /** @description The first month. Default: the first month with revenue. */
                from?: string;
                /** @description The last month. Default: the last month with revenue. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The months. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revenue"];
                    "text/csv": string;
                };
            };
        };
    };
    listStrayMoney: {
        parameters: {
            query?: {
                /** @description `csv`: the entries as a table with a header line, in place of JSON. The header `X-Next-Cursor` then has the cursor of the next page. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StrayMoneyList"];
                    "text/csv": string;
                };
            };
        };
    };
    returnStrayMoney: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                attempt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the refund. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    listOperatorTokens: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tokens, also of refused ones. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorTokenList"];
                };
            };
        };
    };
    createOperatorToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "nightly-report",
                 *       "expires_at": "2032-01-01T00:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["NewOperatorToken"];
            };
        };
        responses: {
            /** @description The token, known to every service within a second. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOperatorToken"];
                };
            };
        };
    };
    revokeOperatorToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                /** @description Lower-case letters, digits and inner hyphens. The audit trail shows this name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getTrialBalance: {
        parameters: {
            query?: {
                /** @description `csv`: the entries as a table with a header line, in place of JSON. The header `X-Next-Cursor` then has the cursor of the next page. */
                format?: "json" | "csv";
                /** @description Counts only postings of this month and the months before it. Default: all postings. */
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrialBalance"];
                    "text/csv": string;
                };
            };
        };
    };
    listUnclosedConsumers: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of consumers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnclosedConsumerList"];
                };
            };
        };
    };
    listUnknownOutcomes: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownOutcomeList"];
                };
            };
        };
    };
    listUsageAlerts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of alerts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageAlertList"];
                };
            };
        };
    };
    listOperatorWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
        };
    };
    createOperatorWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/tollgate",
                 *       "types": [
                 *         "invoice.paid",
                 *         "payout.paid"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint. Its `secret` is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
        };
    };
    getOperatorWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteOperatorWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateOperatorWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointUpdate"];
            };
        };
        responses: {
            /** @description The endpoint as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    rotateOperatorWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grace_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["WebhookSecretRotation"];
            };
        };
        responses: {
            /** @description The endpoint with its new `secret`, shown this once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
        };
    };
    testOperatorWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event, which is sent at once. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
        };
    };
    moveClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "advance_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["ClockMove"];
            };
        };
        responses: {
            /** @description The moved clock. All work that became due is done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            /** @description The moved clock. The work that became due goes on. It is done when `worked_through` of the clock (`Location`) is not before the `now` of this answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
        };
    };
    openDispute: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invoice_id": "0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b",
                 *       "amount_usd": 12.5,
                 *       "outcome": "needs_response"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxDisputeOrder"];
            };
        };
        responses: {
            /** @description The dispute is opened, and decided unless it needs a response. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxDispute"];
                };
            };
        };
    };
    decideDispute: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path: {
                /** @description The id of the dispute at the processor. */
                dispute_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "outcome": "won"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxDisputeDecision"];
            };
        };
        responses: {
            /** @description The dispute is decided. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxDispute"];
                };
            };
        };
    };
    listFailures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All failures that no order has taken yet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxFailureList"];
                };
            };
        };
    };
    scriptFailure: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "on": "charge",
                 *       "failure": "decline",
                 *       "times": 1
                 *     }
                 */
                "application/json": components["schemas"]["SandboxFailureScript"];
            };
        };
        responses: {
            /** @description The failure is scripted. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxFailure"];
                };
            };
        };
    };
    clearFailures: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No failure is scripted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    payOutToBank: {
        parameters: {
            query?: never;
            header?: {
                /** @description From `createOperatorCode`. Needed while the operator has a second factor. */
                "Tollgate-Operator-Code"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_usd": 250
                 *     }
                 */
                "application/json": components["schemas"]["SandboxOwnPayoutOrder"];
            };
        };
        responses: {
            /** @description The payout is made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxOwnPayout"];
                };
            };
        };
    };
}
