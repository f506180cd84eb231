// Written by `pnpm sdk-types` from the contracts; a test compares.

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the public signing keys */
        get: operations["getSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process runs */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this description as OpenAPI */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the service can do its work */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the live API keys */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description An account has at most `API_KEYS_PER_ACCOUNT_MAX` live keys. A key may be limited to what it needs (`can`), and to a time.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open approvals
         * @description Those of your passes that wait for your answer.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a call
         * @description The next authorization for the tool with this pass goes through, once and within 10 minutes, if it is for no more than what you approve. It never exceeds a budget, a balance or an allowance.
         */
        post: operations["approveCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a call
         * @description You are not asked again for this pass and tool until the approval would have expired.
         */
        post: operations["refuseCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/account": {
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
         * Close the account
         * @description Needs the password, and a code where the second factor is confirmed. Sessions, API keys, passes, consents and webhook endpoints end within a second, and tools are archived. The open month is invoiced and paid out as ever. Then personal data is erased, except what the law asks the operator to keep. This is final. A repeat is 401, since its session has ended.
         */
        delete: operations["closeAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit trail of your account
         * @description Lists sign-ins, also refused ones, and changes of credentials, tools, payment method and payout account. Addresses of the operator are not shown.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the clients that you let spend
         * @description Lists live consents, newest first. One whose pass was revoked or has expired has ended.
         */
        get: operations["listConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/consents/{id}": {
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
         * End a consent
         * @description Its pass is revoked and its tokens are refused, everywhere within a second. Calls that were authorized are still paid. To spend again, the client has to ask you again.
         */
        delete: operations["revokeConsent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a device login
         * @description For programs without a browser (RFC 8628). Show `verification_url` and `user_code` to the person, and ask for the token every `interval` seconds.
         */
        post: operations["createDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the access token of an approved device login
         * @description `authorization_pending`: ask again after the interval. `slow_down`: wait 5 seconds longer from now on. `access_denied` and `expired_token` are final.
         */
        post: operations["redeemDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/email-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link that confirms the address
         * @description A new account is mailed one by itself. Nothing is refused to an account whose address is not confirmed. To follow the link also lifts a bounce.
         */
        post: operations["requestEmailConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in and obtain an access token
         * @description An unknown e-mail and a wrong password have the same answer. Only an account with a second factor needs a code.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the account of the credential */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the public name of the account
         * @description People see it on the page of a consent and in the catalogue. Names that differ in case, accents, blanks and look-alike letters alone count as one.
         */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the password */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link for a new password
         * @description It is mailed to the address. The answer is the same for an address without an account. The link is good once, for an hour. Without mail it is 404: then the operator sets a new password.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the recovery codes */
        post: operations["replaceRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh an access token
         * @description Takes the newest token of a session that has not ended, expired or not. A session ends 30 days after its last refresh, and 90 days after it began. For 10 seconds the same token gets the same successor again. A token that is refreshed again later ends the session.
         */
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an account */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the live sessions */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of the second factor */
        get: operations["getTotp"];
        put?: never;
        /**
         * Create a secret for an authenticator app
         * @description Nothing changes at sign-in until a code confirms the secret. A repeat replaces the secret.
         */
        post: operations["beginTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the authenticator app
         * @description From now on a sign-in needs `totp_code` or `recovery_code`. All other sessions end. API keys stay.
         */
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the second factor
         * @description Needs the password, and a code where the factor is confirmed. All other sessions end.
         */
        post: operations["removeTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open authorizations by reference
         * @description Those that you asked for, with this `reference`, and that an event can capture still.
         */
        get: operations["listAuthorizations"];
        put?: never;
        /**
         * Authorize a call
         * @description Holds the most that the call can come to. An event with its `authorization_id` captures the money; otherwise it is free again when the authorization is released or expires. The builder of the tool asks with the `pass` of the consumer who pays; a consumer asks for itself, or its agent with the pass as the bearer. Only the account that asked can capture, increase, extend or release it. A call that the limits of a pass refuse can be approved by its owner: the 402 has an `approval` then, and the next ask goes through once it is given.
         */
        post: operations["askAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authorizations/{authorization_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an authorization
         * @description The account that asked for it sees it, and so does the account that pays. An API key for `events` alone sees what its account asked for.
         */
        get: operations["getAuthorization"];
        put?: never;
        post?: never;
        /**
         * Release an authorization
         * @description Frees at once what is held. A repeated request has the same answer.
         */
        delete: operations["releaseAuthorization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authorizations/{authorization_id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend an authorization
         * @description Moves the moment at which it expires, if a new authorization until then would be given now: for a call that works on. Until 24 hours after it was asked for, and never to an earlier moment.
         */
        post: operations["extendAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authorizations/{authorization_id}/increase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Increase an authorization
         * @description Replaces `max` by a greater one, if a new authorization would be given at this moment. What is held is never lowered.
         */
        post: operations["increaseAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the billing account
         * @description Shows the last known state at the payment processor. An account is connected once its owner has completed onboarding.
         */
        get: operations["getBillingAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/account/login-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link to the payout account
         * @description Leads to the processor’s own pages, where the owner sees its payouts and corrects its bank account. 404 until an account is connected.
         */
        post: operations["createLoginLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List spending alerts */
        get: operations["listSpendingAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/auto-top-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get automatic top-up */
        get: operations["getAutoTopUp"];
        /**
         * Set automatic top-up
         * @description Charges the payment method on file automatically, one charge at a time. A failed charge is tried again after 1 hour, then at growing intervals, or at once with a new payment method. A failure raises an alert, and so does a month whose limit has no room for another charge.
         */
        put: operations["putAutoTopUp"];
        post?: never;
        /** Remove automatic top-up */
        delete: operations["deleteAutoTopUp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the balance
         * @description An invoice takes the balance first, and charges the card for the rest. Where calls must be covered, `available_usd` is what they can still come to, as of their last settlement about a second ago.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/balance/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set low-balance alerts
         * @description Replaces the thresholds. An alert is raised when less than one of them can be spent: once, and again after more could be spent meanwhile. What is held for calls counts as not spent. `GET /v1/billing/balance` shows the thresholds, and `GET /v1/billing/alerts` lists the alerts.
         */
        put: operations["putBalanceAlerts"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/balance/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the refunds of your balance */
        get: operations["listBalanceRefunds"];
        put?: never;
        /**
         * Refund unused balance to its cards
         * @description Money of top-ups goes back to the cards that paid them, the newest top-up first. Unused is what neither your invoices, nor calls that no invoice has billed yet, nor authorizations need. Granted credits are never refunded. The money leaves the balance at once, and comes back if the processor refuses. Remove an automatic top-up before, else it charges the card again. With an `Idempotency-Key` it is ordered only once, for ever; without a key each request is another refund.
         */
        post: operations["refundBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/balance/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a refund of your balance */
        get: operations["getBalanceRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the budget */
        get: operations["getBudget"];
        /**
         * Set the budget
         * @description Calls that do not fit into it are refused with 402. A raised budget counts at once. A new one is known everywhere within a second; calls taken before that count, and may exceed it.
         */
        put: operations["putBudget"];
        post?: never;
        /** Remove the budget */
        delete: operations["deleteBudget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link to connect a payout account
         * @description A repeated request creates a new link to the same account. The account belongs to its owner, who may disconnect it at any time.
         */
        post: operations["connect"];
        /**
         * Disconnect the payout account
         * @description Payouts stop, and money that is owed stays owed. The answer is the same when no account is connected.
         */
        delete: operations["disconnect"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/credit-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your credit notes
         * @description Lists the documents of all refunds, newest first. A refund of money that no invoice needed has none.
         */
        get: operations["listCreditNotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/credit-notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a credit note */
        get: operations["getCreditNote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/credit-notes/{id}.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a credit note as PDF
         * @description A4. The bytes never change. While too many PDFs wait, the answer is 503 `pdf_busy`.
         */
        get: operations["getCreditNotePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the billing details
         * @description Name and address that the next invoices print. 404 until they were set.
         */
        get: operations["getBillingDetails"];
        /**
         * Set the billing details
         * @description Replaces all of them. An invoice keeps the details of the moment when it is issued, so a later change alters no invoice.
         */
        put: operations["setBillingDetails"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what the month will come to
         * @description Learns from the last six weeks how the account spends by the hour and by the day of the week. Four of five months end between the two bounds. With less than 14 whole days of history nothing is estimated.
         */
        get: operations["getForecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description Lists your invoices as a consumer: one per period with something to bill, issued when the period closes.
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice
         * @description Has the first 1,000 lines. If there are more, `lines_truncated` is true.
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices/{id}.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an invoice as PDF
         * @description A4, as many pages as needed. The bytes are the same while the status is the same. An invoice of more than 500 lines has one row per tool. PDFs are made one after the other; while too many wait, the answer is 503 `pdf_busy`.
         */
        get: operations["getInvoicePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lines of an invoice
         * @description Lists all lines, in the order of the invoice.
         */
        get: operations["listInvoiceLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices/upcoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the next invoice
         * @description Rates everything that is counted now. A period closes once `counted_through` has passed its end by 24 hours. For a closed period this is its invoice, or 404 if there was nothing to bill.
         */
        get: operations["getUpcomingInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payment-method": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the payment method */
        get: operations["getPaymentMethod"];
        put?: never;
        /**
         * Create a link to set up a payment method
         * @description A method that is set up there replaces the earlier method.
         */
        post: operations["setUpPaymentMethod"];
        /**
         * Remove the payment method
         * @description The answer is the same when there is none.
         */
        delete: operations["removePaymentMethod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts
         * @description Lists your payouts as a builder, one per period with earnings. Until the payout day it is `pending` and assumes that all charges are collected. Money that is collected later is in the payout of a later period.
         */
        get: operations["listPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a payout with its transfer attempts */
        get: operations["getPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the statement of a payout
         * @description Splits a payout by tool, charge and day. A period without a payout, pending or not, is 404.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/top-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your top-ups */
        get: operations["listTopUps"];
        put?: never;
        /**
         * Create a top-up
         * @description Charges the payment method on file. Once the charge has succeeded, its money is on the balance, and invoices that are due are paid from it. With an `Idempotency-Key` it is ordered only once, for ever; without a key each request is another top-up.
         */
        post: operations["createTopUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/top-ups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a top-up */
        get: operations["getTopUp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the address of a page to be framed
         * @description Its token reads what that one page shows of your account, and opens nothing else. It ends after `ttl_seconds`, and with the session or the API key that made it. No answer contains it again.
         */
        post: operations["createEmbed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeds/origins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get who may frame your embeds */
        get: operations["getEmbedOrigins"];
        /**
         * Set who may frame your embeds
         * @description It counts from the next time that a browser loads an embed.
         */
        put: operations["putEmbedOrigins"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List counted events */
        get: operations["listEvents"];
        put?: never;
        /**
         * Record one event
         * @description The answer comes once the event is durable. A repeated key has the same answer, with `Idempotent-Replayed`; with another body it is 409 `idempotency_conflict`. After 503 the event may or may not count, and sending it again with its key is safe. The body has at most 64 KiB.
         */
        post: operations["recordEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a counted event
         * @description An event that is not counted, or not counted yet, is 404 with `counted_through`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trace an event to its invoice and payout
         * @description The consumer sees the charge and its payment. The builder of the tool sees the earning and its payout. An event that is not counted, not counted yet or no longer kept is 404 with `counted_through`; `detail` says which, if that is known.
         */
        get: operations["traceEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record up to 1,000 events
         * @description Counts as one request for the rate limit. Each item has its own key and its own result. The answer is 200, unless the envelope is malformed (400) or no valid item could be made durable (503). The body has at most 1 MiB.
         */
        post: operations["recordEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refused events
         * @description Lists events that were acknowledged but refused when they were counted. Example: a key is used with two bodies at once on two gateways; the first is counted, and the other is listed here.
         */
        get: operations["listRefusedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notification-preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get what you are mailed */
        get: operations["getNotificationPreferences"];
        /**
         * Set what you are mailed
         * @description What you leave out is on.
         */
        put: operations["putNotificationPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/passes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List passes */
        get: operations["listPasses"];
        put?: never;
        /**
         * Create a pass
         * @description A pass is a key to hand out: to an agent, or to a tool that calls other tools. It records events of the tools that it names, on your account, and opens nothing else.
         */
        post: operations["createPass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/passes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a pass */
        get: operations["getPass"];
        put?: never;
        post?: never;
        /**
         * Revoke a pass
         * @description Every gateway refuses it within a second.
         */
        delete: operations["deletePass"];
        options?: never;
        head?: never;
        /**
         * Change or pause a pass
         * @description Every gateway knows the change within a second.
         */
        patch: operations["updatePass"];
        trace?: never;
    };
    "/v1/passes/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the key of a pass
         * @description The earlier key works for `grace_seconds` more, so that its holder can change over.
         */
        post: operations["rotatePass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/passes/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the bearer token of a caller
         * @description For the server of a builder: says whether what a caller sent is a live pass, or an OAuth token of one for this server. What it may spend is decided when a call is authorized.
         */
        post: operations["checkPass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/passes/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the pass of the credential
         * @description With the pass itself as the bearer token: what its holder may do with it. A paused pass may ask, too. Only its owner sees figures, by `GET /v1/passes/{id}`.
         */
        get: operations["getOwnPass"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/passes/self/children": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the children of the pass of the credential
         * @description With the pass itself as the bearer token: the children that it made. Only its owner sees their figures, by `GET /v1/passes`.
         */
        get: operations["listChildPasses"];
        put?: never;
        /**
         * Create a child of the pass of the credential
         * @description With the pass itself as the bearer token: an agent gives a part of its budget to a helper. A call of the child is in the caps of all passes above it, too, so a tree never spends more than its root may. What bounds or ends a pass does it to all below: tools, limits, pause, expiry, revocation; a rotation ends them with the earlier key. A tree has at most 4 levels, and a pass 100 live children.
         */
        post: operations["createChildPass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a price
         * @description Rates up to 20 quantities by a price, exactly as an invoice would, and keeps nothing. Prices are public, so it needs no account.
         */
        post: operations["previewPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tools */
        get: operations["listTools"];
        put?: never;
        /**
         * Register a tool
         * @description Any account may send events for the tool at once. Its first price applies to any time before the next price version.
         */
        post: operations["createTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a tool */
        get: operations["getTool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a tool
         * @description Only for the owner; for other accounts it is 404. A `resource` belongs to one account as long as a tool of it names the resource; 422 `resource_not_proved` says what its server lacks.
         */
        patch: operations["updateTool"];
        trace?: never;
    };
    "/v1/tools/{slug}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a tool
         * @description Only for the owner, and final. Events for the tool are then 404, and its slug is never reused.
         */
        post: operations["archiveTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{slug}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the price versions of a tool */
        get: operations["listPriceVersions"];
        put?: never;
        /**
         * Create a price version
         * @description Only for the owner. An event is rated by the price that is in force at its own time. A market may ask for notice of a rise: it is then 422 `price_rise_too_soon` with the earliest hour.
         */
        post: operations["createPriceVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum calls, durations, measures and money
         * @description Sums everything that is counted. A query with more than 10,000 rows is 400, with advice.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook endpoints */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Register a webhook endpoint
         * @description It is told by POST what happens from now on, as [Standard Webhooks](https://www.standardwebhooks.com). An account has at most 10.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook endpoint */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook endpoint
         * @description Its attempts go with it. It may still get what is being sent at the moment.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /** Change or disable a webhook endpoint */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver what a webhook endpoint missed
         * @description Sends it the events of its types that it was told in vain until the last try, or not at all, such as those of a time when it was disabled: the oldest 10,000, so repeat it until it answers 0.
         */
        post: operations["redeliverFailedWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook endpoint
         * @description For `grace_seconds` each webhook has a signature by either secret, so that you can change over.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook endpoint
         * @description Sends it an event of the type `webhook.test`, whatever types it is told. Its attempts say what came of it.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook events
         * @description Lists what happened in the last 30 days, newest first, whether an endpoint was told or not.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook event */
        get: operations["getWebhookEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-events/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the attempts to tell a webhook event */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-events/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a webhook event
         * @description Sends it to all endpoints that are enabled and told its type now, also to those that had it.
         */
        post: operations["redeliverWebhookEvent"];
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
        /** @description Send it as `Authorization: Bearer <access_token>`. */
        AccessToken: {
            /** @description A JWT (ES256). */
            access_token: string;
            /**
             * @description Seconds until it expires.
             * @example 3600
             */
            expires_in: number;
            /**
             * @description The scheme of the `Authorization` header.
             * @constant
             */
            token_type: "Bearer";
        };
        Account: {
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
        };
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
        /**
         * @example {
         *       "public_name": "Weather House"
         *     }
         */
        AccountUpdate: {
            /**
             * @description The name by which people know who sells its tools; `null` removes it. It may look like the name of no other account.
             * @example Weather House
             */
            public_name: string | null;
        };
        /** @description An API key, without the key itself. */
        ApiKey: {
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
        };
        /** @description A page, newest first. */
        ApiKeyList: {
            api_keys: components["schemas"]["ApiKey"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /** @description A call that the limits of a pass refused, for its owner to decide. */
        Approval: {
            /** @description The most that they may come to. */
            at_most_usd: number;
            /** @description The part of it for which the cap of the pass has no room; 0 where the call only needs approval. */
            beyond_cap_usd: number;
            /** @description The cap of the pass as it stands now; null without one. */
            cap: {
                /** @description US dollars, up to six decimals. */
                amount_usd: number;
                /** @description What is held for calls that are authorized or not counted yet. */
                held_usd: number;
                /** @description What can still be held. */
                remaining_usd: number;
                /** @description What counted calls of this window came to. */
                spent_usd: number;
                /** @enum {string} */
                window: "day" | "month" | "total";
            } | null;
            /** @description How many calls were asked for at once. */
            count: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Open: until then it can be answered. Approved: until then a call can use it.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            pass_id: string;
            /** @description The name that you gave the pass. */
            pass_name: string;
            /**
             * @description `open`: it waits for your answer. `approved`: the next call that it fits goes through, once.
             * @enum {string}
             */
            state: "open" | "approved" | "refused" | "used";
            /** @description The slug of the tool. */
            tool_id: string;
            /**
             * Format: uri
             * @description The page on which you approve or refuse.
             */
            url: string;
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
        /** @description A page, newest first. */
        ApprovalList: {
            approvals: components["schemas"]["Approval"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /** @description Money that is held for one call. */
        Authorization: {
            /** @description How many events have captured it. */
            captured_count: number;
            /** @description What its event came to; null until it is counted. */
            charged_usd: number | null;
            /**
             * Format: uuid
             * @description The account that pays.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            consumer_id: string;
            /** @description How many events can capture it. */
            count: number;
            /**
             * Format: date-time
             * @description When the authorization expires. An event can capture it until then.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string;
            /** @description The money that is held: the most that its event can come to. 0 once nothing is held. */
            held_usd: number;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description Less than 10 % is left of a cap. */
            low: boolean;
            /**
             * Format: uuid
             * @description The pass that allows it; null without one.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            pass_id: string | null;
            /**
             * Format: uuid
             * @description The price version in force when it was asked for.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            price_id: string;
            /** @description The name that its asker gave it; null without one, and for everybody else. */
            reference: string | null;
            /** @description What is left of the tightest cap. Only the account that pays sees it; null for others, and without a cap. */
            remaining_usd: number | null;
            /**
             * @description `captured`: its event is recorded. `settled`: its event is counted, and nothing is held any more.
             * @enum {string}
             */
            state: "open" | "captured" | "settled" | "released" | "expired";
            /** @description The slug of the tool. */
            tool_id: string;
        };
        /**
         * @example {
         *       "ttl_seconds": 3600,
         *       "reference": "job-1"
         *     }
         */
        AuthorizationExtension: {
            /**
             * @description A name of yours for the call, such as the id of its job. Its open authorizations are listed by it.
             * @example job-1
             */
            reference?: string | null;
            /** @description Seconds from now until the authorization expires. It never expires earlier than before, nor later than 24 hours after it was asked for. */
            ttl_seconds: number;
        };
        /**
         * @example {
         *       "max": {
         *         "duration_ms": 4000,
         *         "metadata": {
         *           "tokens": 8000
         *         }
         *       }
         *     }
         */
        AuthorizationIncrease: {
            max: components["schemas"]["AuthorizedMax"];
        };
        /**
         * @example {
         *       "tool_id": "web-search",
         *       "max": {
         *         "duration_ms": 2000,
         *         "metadata": {
         *           "tokens": 4000
         *         }
         *       }
         *     }
         */
        AuthorizationInput: {
            /** @description The number of calls that are authorized, each of at most `max`. Each is captured separately, by its `call_index`. Default: `1`. */
            count?: number | null;
            /** @description A repeated key has the same answer and holds nothing more. */
            idempotency_key?: string | null;
            max?: components["schemas"]["AuthorizedMax"] | null;
            /**
             * @description The pass of the consumer who pays, as the consumer gave it to you, or the OAuth access token with which its client came to your server. Required from the builder of the tool; without it your own account pays.
             * @example tg_pass_0123456789ABCDEFabcdef0123456789ABCDEF
             */
            pass?: string | null;
            /**
             * @description A name of yours for the call, such as the id of its job. Its open authorizations are listed by it.
             * @example job-1
             */
            reference?: string | null;
            /**
             * @description The slug of the tool.
             * @example web-search
             */
            tool_id: string;
            /** @description Seconds until the authorization expires. Default: `300`. */
            ttl_seconds?: number | null;
        };
        /** @description A page, newest first. */
        AuthorizationList: {
            authorizations: components["schemas"]["Authorization"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
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
        AutoTopUp: {
            /** @description Whole cents. */
            amount_usd: number;
            /** @description A top-up is charged when the balance, less what calls came to since the last invoice, is below this. */
            below_usd: number;
            /** @description Why the last automatic top-up failed; null if it did not. */
            failure_code: string | null;
            /** @description The sum of the automatic top-ups of this month. */
            month_usd: number;
            /** @description The most per calendar month, in UTC. */
            monthly_max_usd: number;
            /**
             * Format: date-time
             * @description When a failed top-up is tried again, unless a new payment method comes before.
             * @example 2026-11-21T12:00:00.000Z
             */
            retry_at: string | null;
        };
        /**
         * @example {
         *       "below_usd": 10,
         *       "amount_usd": 50,
         *       "monthly_max_usd": 200
         *     }
         */
        AutoTopUpInput: {
            /**
             * @description US dollars, at most two decimals.
             * @example 50
             */
            amount_usd?: number;
            /**
             * @description US dollars, at most two decimals.
             * @example 12.5
             */
            below_usd?: number;
            /**
             * @description US dollars, at most two decimals.
             * @example 12.5
             */
            monthly_max_usd?: number;
        };
        Balance: {
            /** @description Thresholds, the highest first: an alert is raised when less than one of them can be spent. */
            alerts_below_usd: number[];
            /** @description Null if there is no automatic top-up. */
            auto_top_up: components["schemas"]["AutoTopUp"] | null;
            /** @description What can be spent: the balance, less what is held, owed and unbilled, and the credit limit. A call that can come to more is refused. Below 0 where more is owed. Where the balance does not limit calls: the balance, less what is held. */
            available_usd: number;
            /** @description The money that pays invoices before a card does. */
            balance_usd: number;
            /** @description How far calls may exceed the balance. Null if the balance does not limit calls. */
            credit_limit_usd: number | null;
            /** @description The credits that have something left, in the order in which they are spent: grants before top-ups, the soonest to expire first. */
            credits: components["schemas"]["OwnCredit"][];
            /** @constant */
            currency: "usd";
            /** @description What nothing else can spend now: top-ups whose dispute is open, credits that have expired, as far as no calls were laid on them, and, where the balance limits calls, what is held for those that are authorized or not counted yet. */
            held_usd: number;
            /** @description What is invoiced and not paid, and what the last invoice carries to the next. Null if the balance does not limit calls. */
            owed_usd: number | null;
            /** @description What the calls came to that no invoice has billed yet. Null if the balance does not limit calls. */
            unbilled_usd: number | null;
        };
        BalanceAlerts: {
            /** @description The highest first. */
            below_usd: number[];
        };
        /**
         * @example {
         *       "below_usd": [
         *         20,
         *         5
         *       ]
         *     }
         */
        BalanceAlertsInput: {
            /** @description An empty list raises no alerts. */
            below_usd: number[];
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
        /**
         * @example {
         *       "amount_usd": 20
         *     }
         */
        BalanceRefundOrder: {
            /**
             * @description US dollars, at most two decimals. If not given, all that can be refunded.
             * @example 12.5
             */
            amount_usd?: number | null;
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
        BegunTotp: {
            /** @description The same for a QR code: SHA-1, 6 digits, 30 seconds. */
            otpauth_uri: string;
            /** @description The shared secret in Base32, to type in. No later answer contains it. */
            secret: string;
        };
        BillingAccount: {
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
            /** @description Earned and not yet paid out. It may be negative after refunds. */
            pending_balance_usd: number;
            /**
             * @description Null before connecting and after disconnecting.
             * @example acct_sandbox_7Qm2
             */
            processor_account_id: string | null;
            /** @description Whether the external payment account is connected. */
            processor_connected: boolean;
            /** @description What the processor still wants to know, in its own names. A connect link asks for it. */
            requirements: string[];
        };
        BillingDetails: {
            /** @description The lines of the postal address, without the country. */
            address: string[];
            /**
             * @description The country, as ISO 3166-1 alpha-2.
             * @example GB
             */
            country: string;
            /**
             * @description The person or company that is billed.
             * @example Ada Analytics Ltd
             */
            name: string;
            /**
             * @description The tax number, such as of VAT, as it is to be printed.
             * @example GB123456789
             */
            tax_id: string | null;
        };
        /** @description What the account may spend in a window, and has spent of it. */
        Budget: {
            alerts: number[];
            /** @description US dollars, up to six decimals. */
            amount_usd: number;
            /** @description What is held for calls that are authorized or not counted yet. */
            held_usd: number;
            /** @description What can still be held; 0 where a lowered budget is exceeded. */
            remaining_usd: number;
            /**
             * Format: date-time
             * @description When this window ends.
             * @example 2026-11-21T12:00:00.000Z
             */
            resets_at: string;
            /** @description What the counted calls of this window came to. */
            spent_usd: number;
            /**
             * @description A day or a calendar month, in UTC.
             * @enum {string}
             */
            window: "day" | "month";
        };
        /**
         * @example {
         *       "amount_usd": 50,
         *       "window": "month",
         *       "alerts": [
         *         50,
         *         80,
         *         100
         *       ]
         *     }
         */
        BudgetInput: {
            /** @description Each of these parts of the budget raises an alert when it is spent, once per window. Default: `[50,80,100]`. */
            alerts?: number[] | null;
            /**
             * @description US dollars, at most two decimals.
             * @example 12.5
             */
            amount_usd?: number;
            /**
             * @description A day or a calendar month, in UTC.
             * @enum {string}
             */
            window: "day" | "month";
        };
        /** @description A counted event, as the tool's builder sees it. */
        BuilderEvent: {
            /**
             * Format: uuid
             * @description The account that made the call.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            consumer_id: string;
            /** @description Execution time in milliseconds; null if it was not sent. */
            duration_ms: number | null;
            /**
             * Format: uuid
             * @description The id of the event, assigned by the service.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            event_id: string;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            received_at: string;
            /**
             * @description The event is in the sums of usage.
             * @constant
             */
            state: "counted";
            /**
             * @description The event is durable.
             * @constant
             */
            status: "recorded";
            /** @description Whether the call succeeded. */
            success: boolean;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            timestamp: string;
            /** @description The slug of the tool. */
            tool_id: string;
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
        ChargeInput: {
            /**
             * @description The quantity that is free, per consumer and period. Default: `"0"`.
             * @example 0.002
             */
            free_quantity?: string | null;
            metric: components["schemas"]["MetricInput"];
            model: components["schemas"]["PriceModelInput"];
            /** @description The name of the charge on invoices. */
            name?: string | null;
        };
        /** @description A pass that is live and not paused, without the figures of its owner. */
        CheckedPass: {
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
             * @description The id of the pass. It is no secret.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description The last four characters of its key.
             * @example x7Qd
             */
            last_four: string;
            /** @description Less than 10 % is left of its cap, or of that of a pass above it. */
            low: boolean;
            /**
             * @description For its owner, to tell passes apart.
             * @example research agent
             */
            name: string;
            /**
             * Format: uuid
             * @description The pass that made it, which bounds it and pays for its calls, too; null for a pass of the account.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            parent_id: string | null;
            paused: boolean;
            /**
             * @description The first characters of its key.
             * @example tg_pass_ab12
             */
            prefix: string;
            /**
             * Format: date-time
             * @description When this window ends; null for none.
             * @example 2026-11-21T12:00:00.000Z
             */
            resets_at: string | null;
            tags: {
                [key: string]: string;
            };
            /** @description What the token says; null for the key of a pass. */
            token: {
                /** @description The client that has the token. */
                client_id: string;
                /**
                 * Format: date-time
                 * @description UTC with milliseconds.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                expires_at: string;
                /** @description The URL of the server for which it was made. */
                resource: string;
            } | null;
            /**
             * @description The slugs of the tools that the pass allows; `*` for all tools.
             * @example [
             *       "web-search"
             *     ]
             */
            tools: "*" | string[];
        };
        /** @description A page, newest first. */
        ChildPassList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            passes: components["schemas"]["OwnPass"][];
            /** @description The number of entries on all pages. */
            total: number;
        };
        ConnectLink: {
            /**
             * Format: uri
             * @description Send the browser to this address. It works once.
             */
            connect_url: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string;
        };
        /** @description A client of OAuth that you let spend. */
        Consent: {
            /** @description A call that can come to more needs your approval. */
            approve_above_usd: number | null;
            /** @description The most that its calls may come to in a window; null where you took the cap away. */
            cap: {
                /** @description US dollars, up to six decimals. */
                amount_usd: number;
                /** @enum {string} */
                window: "day" | "month" | "total";
            } | null;
            /**
             * @description The host that serves its metadata document; null for a client that registered itself.
             * @example agent.example.com
             */
            client_host: string | null;
            /**
             * @description The id of the client: the address of its metadata document, or one that it was given.
             * @example https://agent.example.com/client.json
             */
            client_id: string;
            /** @description The name that the client gives itself. Nobody has verified it. */
            client_name: string;
            /**
             * Format: date-time
             * @description When you consented last.
             * @example 2026-11-21T12:00:00.000Z
             */
            consented_at: string;
            /**
             * Format: date-time
             * @description When you first consented.
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
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: date-time
             * @description When the client last got a token, which lasts for an hour; null for none. By the clock of the machine.
             * @example 2026-11-21T12:00:00.000Z
             */
            last_token_at: string | null;
            /**
             * Format: uuid
             * @description The pass that the consent is: it says what was spent.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            pass_id: string;
            /** @description Its pass is paused: calls are refused until you resume it. */
            paused: boolean;
            /** @description The most that one call may come to; null without a bound. */
            per_call_max_usd: number | null;
            /** @description The MCP server at which the client may spend. */
            resource: string;
            /** @description The slugs of the tools that the client may call. */
            tools: string[];
        };
        /** @description A page, newest first. */
        ConsentList: {
            consents: components["schemas"]["Consent"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /** @description A counted event, as its consumer sees it. */
        ConsumerEvent: {
            /** @description Execution time in milliseconds; null if it was not sent. */
            duration_ms: number | null;
            /**
             * Format: uuid
             * @description The id of the event, assigned by the service.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            event_id: string;
            /** @description The key of the event; null if it has none. */
            idempotency_key: string | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: uuid
             * @description The pass that paid for the call; null without one.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            pass_id: string | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            received_at: string;
            /**
             * @description The event is in the sums of usage.
             * @constant
             */
            state: "counted";
            /**
             * @description The event is durable.
             * @constant
             */
            status: "recorded";
            /** @description Whether the call succeeded. */
            success: boolean;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            timestamp: string;
            /** @description The slug of the tool. */
            tool_id: string;
        };
        /** @description A counted event, as its consumer or the builder of its tool sees it. */
        CountedEvent: components["schemas"]["ConsumerEvent"] | components["schemas"]["BuilderEvent"];
        CreatedApiKey: {
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
             * @description The key. It is shown only once: a replay of the request leaves it out.
             * @example tg_live_0123456789ABCDEFabcdef0123456789ABCDEF
             */
            key?: string;
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
        };
        CreatedChildPass: {
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
             * @description The id of the pass. It is no secret.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description The key. It is shown only once.
             * @example tg_pass_0123456789ABCDEFabcdef0123456789ABCDEF
             */
            key: string;
            /**
             * @description The last four characters of its key.
             * @example x7Qd
             */
            last_four: string;
            /** @description Less than 10 % is left of its cap, or of that of a pass above it. */
            low: boolean;
            /**
             * @description For its owner, to tell passes apart.
             * @example research agent
             */
            name: string;
            /**
             * Format: uuid
             * @description The pass that made it, which bounds it and pays for its calls, too; null for a pass of the account.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            parent_id: string | null;
            paused: boolean;
            /**
             * @description The first characters of its key.
             * @example tg_pass_ab12
             */
            prefix: string;
            /**
             * Format: date-time
             * @description When this window ends; null for none.
             * @example 2026-11-21T12:00:00.000Z
             */
            resets_at: string | null;
            tags: {
                [key: string]: string;
            };
            /**
             * @description The slugs of the tools that the pass allows; `*` for all tools.
             * @example [
             *       "web-search"
             *     ]
             */
            tools: "*" | string[];
        };
        CreatedPass: {
            /** @description A call that can come to more needs your approval; null if none does. */
            approve_above_usd: number | null;
            /** @description Null without a cap. */
            cap: {
                /** @description US dollars, up to six decimals. */
                amount_usd: number;
                /**
                 * @description A day or a calendar month, in UTC; `total`: once and for all.
                 * @enum {string}
                 */
                window: "day" | "month" | "total";
            } | null;
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
            /** @description What is held for calls that are authorized or not counted yet, likewise with all passes below; null without a cap. */
            held_usd: number | null;
            /**
             * Format: uuid
             * @description The id of the pass. It is no secret.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description The key. It is shown only once.
             * @example tg_pass_0123456789ABCDEFabcdef0123456789ABCDEF
             */
            key: string;
            /**
             * @description The last four characters of its key.
             * @example x7Qd
             */
            last_four: string;
            /**
             * @description For its owner, to tell passes apart.
             * @example research agent
             */
            name: string;
            /**
             * Format: uuid
             * @description The pass that made it, which bounds it and pays for its calls, too; null for a pass of the account.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            parent_id: string | null;
            paused: boolean;
            /** @description The most that one call may come to; null without such a limit. */
            per_call_max_usd: number | null;
            /**
             * @description The first characters of its key.
             * @example tg_pass_ab12
             */
            prefix: string;
            /** @description What can still be held; null without a cap. */
            remaining_usd: number | null;
            /**
             * Format: date-time
             * @description When this window ends; null for none.
             * @example 2026-11-21T12:00:00.000Z
             */
            resets_at: string | null;
            /** @description What counted calls of this window came to, those of all passes below it included; null without a cap. More than the cap where you approved a call beyond it. */
            spent_usd: number | null;
            tags: {
                [key: string]: string;
            };
            /**
             * @description The slugs of the tools that the pass allows; `*` for all tools.
             * @example [
             *       "web-search"
             *     ]
             */
            tools: "*" | string[];
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
        /**
         * @description E-mail and password. An account with a second factor sends one of its codes as well.
         * @example {
         *       "email": "ada@example.com",
         *       "password": "correct horse battery staple"
         *     }
         */
        Credentials: {
            /**
             * @description Trimmed and lower-cased.
             * @example ada@example.com
             */
            email: string;
            /** @description Compared exactly as sent. */
            password: string;
            /**
             * @description An unused recovery code, in place of `totp_code`. Case, blanks and hyphens do not matter.
             * @example 7Q4ZKX-AB2MNP-WY6RTC-3HJD5E
             */
            recovery_code?: string | null;
            /**
             * @description The code that the authenticator app shows now. It works once.
             * @example 123456
             */
            totp_code?: string | null;
        };
        CreditedTool: {
            /** @description What is credited of this tool’s charges. */
            amount_usd: number;
            /** @description Null for all tools beyond the 500 largest. */
            tool_id: string | null;
        };
        /** @description The document of a refund. It never changes. */
        CreditNote: {
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
            /** @description One line per tool, largest first. */
            lines: components["schemas"]["CreditedTool"][];
            /** @description The number of the note, without gaps over all notes. */
            number: number;
            /**
             * @description The month of that invoice.
             * @example 2026-11
             */
            period: string;
        };
        /** @description A page, newest first. */
        CreditNoteList: {
            credit_notes: components["schemas"]["CreditNoteSummary"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /** @description A credit note without its lines. */
        CreditNoteSummary: {
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
        };
        DeviceLogin: {
            /** @description The program keeps it to itself, and asks for its token with it. */
            device_code: string;
            /**
             * @description Seconds until both codes expire.
             * @example 600
             */
            expires_in: number;
            /**
             * @description Seconds to wait between two requests for the token.
             * @example 5
             */
            interval: number;
            /**
             * @description A person types it into the page.
             * @example WDJB-MJHT
             */
            user_code: string;
            /**
             * Format: uri
             * @description The address of the page.
             * @example https://tollgate.example/device
             */
            verification_url: string;
        };
        /**
         * @example {
         *       "device_code": "device_SGlzIGNvZGUgaXMgc2hvd24gaGVyZSBmb3IgaXRzIGZvcm0"
         *     }
         */
        DeviceLoginRedemption: {
            /** @description From `createDeviceLogin`. It gives one token. */
            device_code: string;
        };
        /** @description One page of the console, to be shown inside a product of yours. */
        Embed: {
            /**
             * Format: date-time
             * @description By the clock of the machine, which no operator moves.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string;
            /**
             * @description `usage`: what the account spends. `earnings`: what its tools earn. `invoices`: its invoices and the draft of this month.
             * @enum {string}
             */
            page: "usage" | "earnings" | "invoices";
            /**
             * Format: uri
             * @description The `src` of an `<iframe>`. What follows `#` is the token: whoever has it reads this page until it ends, so it belongs to the reader alone.
             * @example https://tollgate.example/app/embed/01989f2e-7c1a-7b3a-9f00-4be1d9a2c0de#token=tg_embed_0123456789ABCDEFabcdef0123456789ABCDEF&page=usage&theme=light
             */
            url: string;
        };
        /**
         * @example {
         *       "origins": [
         *         "https://app.example.com"
         *       ]
         *     }
         */
        EmbedOrigins: {
            /** @description Empty: no page of another origin may frame any. */
            origins: string[];
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
        /**
         * @example {
         *       "events": [
         *         {
         *           "tool_id": "web-search",
         *           "duration_ms": 120,
         *           "success": true,
         *           "metadata": {
         *             "model": "small",
         *             "tokens": 1284
         *           }
         *         },
         *         {
         *           "tool_id": "web-search",
         *           "success": false
         *         }
         *       ]
         *     }
         */
        EventBatch: {
            /** @description An item that is no valid event is rejected in `results`, without effect on the others. */
            events: components["schemas"]["Event"][];
        };
        /** @description One result per item, in the order sent. */
        EventBatchResult: {
            /** @description The number of repeats of earlier events. */
            duplicates: number;
            /** @description The number of durable events. */
            recorded: number;
            /** @description The number of refused items. */
            rejected: number;
            results: {
                /** @description Only if `rejected` or `unknown`. */
                error?: components["schemas"]["EventItemError"];
                /**
                 * Format: uuid
                 * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
                 */
                event_id?: string;
                /** @description The first 20 unknown fields of the item, which had no effect. */
                ignored_fields?: string[];
                /** @description The place of the item in the request, from 0. */
                index: number;
                /**
                 * @description `unknown`: the event may or may not count, and sending it again with its key is safe.
                 * @enum {string}
                 */
                status: "recorded" | "duplicate" | "rejected" | "unknown";
                /**
                 * Format: date-time
                 * @description UTC with milliseconds.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                timestamp?: string;
            }[];
            /** @description The number of events that may or may not count. */
            unknown: number;
        };
        EventItemError: {
            /**
             * @description The stable code.
             * @enum {string}
             */
            code: "invalid_request" | "authorization_pending" | "slow_down" | "expired_token" | "access_denied" | "consumer_not_accepted" | "unauthorized" | "invalid_credentials" | "second_factor_required" | "invalid_second_factor" | "payment_required" | "spending_cap_reached" | "approval_required" | "forbidden" | "events_scope_missing" | "read_scope_missing" | "manage_scope_missing" | "account_suspended" | "pass_refused" | "tool_not_allowed" | "operator_code_required" | "not_found" | "tool_not_found" | "authorization_not_found" | "event_not_found" | "method_not_allowed" | "request_timeout" | "email_taken" | "totp_enabled" | "operator_token_taken" | "slug_taken" | "name_taken" | "resource_taken" | "effective_from_taken" | "tool_archived" | "approval_not_open" | "idempotency_conflict" | "idempotency_in_progress" | "invoice_paid" | "charge_unresolved" | "payment_method_required" | "invoice_not_paid" | "payout_country_fixed" | "dispute_decided" | "charge_disputed" | "invoice_not_held" | "clock_moved" | "clock_moved_back" | "authorization_not_open" | "payload_too_large" | "unsupported_media_type" | "event_expired" | "authorization_exceeded" | "invoice_too_large" | "refund_too_large" | "balance_too_small" | "refund_line_unknown" | "nothing_stray" | "idempotency_key_reused" | "too_many_tools" | "too_many_price_versions" | "price_too_high" | "resource_not_proved" | "price_rise_too_soon" | "too_many_passes" | "pass_too_deep" | "too_many_keys" | "too_many_embeds" | "too_many_webhook_endpoints" | "webhook_url_refused" | "webhook_endpoint_disabled" | "too_many_operator_tokens" | "rate_limit_exceeded" | "processor_refused" | "server_error" | "unavailable" | "processor_unavailable" | "pdf_busy";
            /** @description The cause in words. */
            detail: string;
            /** @description Pointers are relative to the item. */
            errors?: components["schemas"]["FieldError"][];
            /** @description The HTTP status that the item alone would have. */
            status: number;
        };
        /** @description A page, newest first by (`timestamp`, `event_id`). `total` is null. */
        EventList: {
            events: components["schemas"]["CountedEvent"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description Always null: events are not counted. */
            total: null;
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
        /** @description What a month is expected to come to. It is an estimate, and binds nobody. */
        Forecast: {
            /**
             * Format: date
             * @description The day (UTC) on which the expected spending reaches the budget, or has reached it. Null if it does not within the month.
             */
            budget_ends_on: string | null;
            /** @description The budget of the month; null if the account has none, or one of each day. */
            budget_usd: number | null;
            /** @description The course of the month: each of its days, added up. */
            days: components["schemas"]["ForecastDay"][];
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
        };
        ForecastDay: {
            /**
             * Format: date
             * @description The day in UTC.
             */
            date: string;
            /** @description One in ten is above it. */
            estimated_high_usd: number | null;
            /** @description One in ten is below it. */
            estimated_low_usd: number | null;
            /** @description An estimate: what the month will have come to by the end of the day. Null for past days, and with less than 14 days of history. */
            estimated_usd: number | null;
            /** @description What the month came to by the end of the day, or until `through`. Null for days to come. */
            spent_usd: number | null;
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
        /** @description A page, in the order of the invoice. */
        InvoiceLineList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            lines: components["schemas"]["InvoiceLine"][];
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /** @description A page, newest first. */
        InvoiceList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            invoices: components["schemas"]["Invoice"][];
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
        };
        /** @description The public halves of the signing keys (RFC 7517). */
        JsonWebKeySet: {
            keys: ({
                /** @constant */
                alg: "ES256";
                /** @constant */
                crv: "P-256";
                kid: string;
                /** @constant */
                kty: "EC";
                /** @constant */
                use: "sig";
                x: string;
                y: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        Liveness: {
            /**
             * Format: date-time
             * @description The time by which the service judges. In a sandbox, the operator may move it.
             * @example 2026-11-21T12:00:00.000Z
             */
            now: string;
            /** @constant */
            status: "ok";
        };
        LoginLink: {
            /**
             * Format: uri
             * @description Send the browser to this address. It works once.
             */
            login_url: string;
        };
        /**
         * @example {
         *       "model": "small",
         *       "tokens": 1284
         *     }
         */
        Metadata: {
            [key: string]: string | number | boolean;
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
        /** @description The quantity: calls, milliseconds, or the sum of a metadata key. */
        MetricInput: {
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
        /**
         * @example {
         *       "name": "production",
         *       "can": [
         *         "events"
         *       ]
         *     }
         */
        NewApiKey: {
            /**
             * @description What the key opens: `events` records, authorizes and reads its authorizations, `read` opens GET and makes embeds, `manage` all other changes.
             * @example [
             *       "events"
             *     ]
             */
            can?: ("events" | "read" | "manage")[] | null;
            /**
             * Format: date-time
             * @description From this time on the key is refused.
             * @example 2032-01-01T00:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description For its owner, to tell keys apart.
             * @example production
             */
            name: string;
        };
        /**
         * @example {
         *       "name": "Ada Analytics Ltd",
         *       "address": [
         *         "12 Engine Street",
         *         "London W1U 8ED"
         *       ],
         *       "country": "GB",
         *       "tax_id": "GB123456789"
         *     }
         */
        NewBillingDetails: {
            /** @description The lines of the postal address, without the country. */
            address: string[];
            /**
             * @description The country, as ISO 3166-1 alpha-2.
             * @example GB
             */
            country: string;
            /**
             * @description The person or company that is billed.
             * @example Ada Analytics Ltd
             */
            name: string;
            /**
             * @description The tax number, such as of VAT, as it is to be printed.
             * @example GB123456789
             */
            tax_id?: string | null;
        };
        /**
         * @example {
         *       "name": "a helper",
         *       "tools": "*",
         *       "cap": {
         *         "amount_usd": 1,
         *         "window": "total"
         *       },
         *       "expires_at": "2032-01-01T00:00:00.000Z"
         *     }
         */
        NewChildPass: {
            cap: components["schemas"]["PassCap"];
            /**
             * Format: date-time
             * @description From this time on the child is refused. No later than your pass.
             * @example 2032-01-01T00:00:00.000Z
             */
            expires_at: string;
            /**
             * @description For its owner, to tell passes apart. Default: that of your pass.
             * @example research agent
             */
            name?: string | null;
            /**
             * @description A call that can come to more is refused with 402. At most that of your pass, which holds anyway.
             * @example 0.05
             */
            per_call_max_usd?: number | null;
            /**
             * @description Tools that your pass allows; `*` for all that it allows now.
             * @example [
             *       "web-search"
             *     ]
             */
            tools: "*" | string[];
        };
        /**
         * @example {
         *       "return_url": "https://example.com/billing",
         *       "country": "DE"
         *     }
         */
        NewConnectLink: {
            /**
             * @description Where the builder lives or is registered, as ISO 3166-1 alpha-2. It cannot change after onboarding. Default: the country of the platform.
             * @example DE
             */
            country?: string;
            /**
             * Format: uri
             * @description The address to which the browser returns: `https`, or `http` on `localhost`, `127.0.0.1` or `[::1]`; without credentials.
             * @example https://example.com/billing
             */
            return_url: string;
        };
        /**
         * @description E-mail and password of a new account.
         * @example {
         *       "email": "ada@example.com",
         *       "password": "correct horse battery staple"
         *     }
         */
        NewCredentials: {
            /**
             * @description Trimmed and lower-cased.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description Used exactly as sent. A password is refused if it is a common one, blanks alone, our name with a few characters, or the e-mail.
             * @example correct horse battery staple
             */
            password: string;
        };
        /**
         * @example {
         *       "client": "tollgate on ada-laptop"
         *     }
         */
        NewDeviceLogin: {
            /** @description The name of the program on the page: 1 to 80 printable ASCII characters. */
            client: string;
        };
        /**
         * @example {
         *       "page": "usage",
         *       "ttl_seconds": 900,
         *       "theme": "light"
         *     }
         */
        NewEmbed: {
            /**
             * @description `usage`: what the account spends. `earnings`: what its tools earn. `invoices`: its invoices and the draft of this month.
             * @enum {string}
             */
            page: "usage" | "earnings" | "invoices";
            /**
             * @description Default: `auto`, which is what the reader’s system says.
             * @enum {string|null}
             */
            theme?: "auto" | "light" | "dark" | null;
            /**
             * @description How long the page shows something. Default: 3600.
             * @example 900
             */
            ttl_seconds?: number | null;
        };
        /**
         * @example {
         *       "email": {
         *         "payout.paid": false
         *       }
         *     }
         */
        NewNotificationPreferences: {
            email: {
                /** @description A mail when the transfer of a payout fails. Default: true. */
                "payout.failed"?: boolean | null;
                /** @description A mail when a payout is transferred. Default: true. */
                "payout.paid"?: boolean | null;
                /** @description A mail when all of a budget, or of the cap of a pass, is spent. Default: true. */
                "spending.limit_reached"?: boolean | null;
                /** @description A mail when a part of a budget, or of the cap of a pass, is spent. Default: true. */
                "spending.threshold_reached"?: boolean | null;
                /** @description A mail when an endpoint of yours is disabled because it fails. Default: true. */
                "webhook_endpoint.disabled"?: boolean | null;
            };
        };
        /**
         * @example {
         *       "name": "research agent",
         *       "tools": [
         *         "web-search"
         *       ],
         *       "cap": {
         *         "amount_usd": 5,
         *         "window": "day"
         *       },
         *       "tags": {
         *         "team": "research"
         *       }
         *     }
         */
        NewPass: {
            /**
             * @description An authorization for a call that can come to more needs the approval of the owner of the pass. Calls that are recorded without an authorization do not.
             * @example 1
             */
            approve_above_usd?: number | null;
            cap?: components["schemas"]["PassCap"] | null;
            /**
             * Format: date-time
             * @description From this time on the pass is refused.
             * @example 2032-01-01T00:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description For its owner, to tell passes apart.
             * @example research agent
             */
            name: string;
            /**
             * @description A call that can come to more is refused with 402.
             * @example 0.05
             */
            per_call_max_usd?: number | null;
            /**
             * @description Up to 5 texts by name, for your own reports.
             * @example {
             *       "team": "research"
             *     }
             */
            tags?: {
                [key: string]: string;
            } | null;
            /**
             * @description The slugs of the tools that the pass allows; `*` for all tools.
             * @example [
             *       "web-search"
             *     ]
             */
            tools: "*" | string[];
        };
        /**
         * @example {
         *       "return_url": "https://example.com/billing"
         *     }
         */
        NewPaymentMethodSetup: {
            /**
             * Format: uri
             * @description The address to which the browser returns: `https`, or `http` on `localhost`, `127.0.0.1` or `[::1]`; without credentials.
             * @example https://example.com/billing
             */
            return_url: string;
        };
        /**
         * @example {
         *       "price": {
         *         "per_call_usd": "0.002"
         *       },
         *       "quantities": [
         *         {
         *           "calls": 10
         *         },
         *         {
         *           "calls": 1000
         *         },
         *         {
         *           "calls": 100000
         *         }
         *       ]
         *     }
         */
        NewPricePreview: {
            /**
             * @description A price in full, or `{ "per_call_usd": "0.002" }` alone.
             * @example {
             *       "per_call_usd": "0.002"
             *     }
             */
            price: components["schemas"]["PriceInput"] | components["schemas"]["PerCallPrice"];
            quantities: components["schemas"]["PreviewQuantity"][];
        };
        /**
         * @example {
         *       "price": {
         *         "per_call_usd": "0.003"
         *       },
         *       "effective_from": "2099-01-01T00:00:00.000Z"
         *     }
         */
        NewPriceVersion: {
            /**
             * Format: date-time
             * @description A full UTC hour, at least one hour ahead.
             * @example 2099-01-01T00:00:00.000Z
             */
            effective_from: string;
            /**
             * @description A price in full, or `{ "per_call_usd": "0.002" }` alone.
             * @example {
             *       "per_call_usd": "0.002"
             *     }
             */
            price: components["schemas"]["PriceInput"] | components["schemas"]["PerCallPrice"];
        };
        /**
         * @example {
         *       "slug": "web-search",
         *       "name": "Web search",
         *       "description": "Searches the web.",
         *       "price": {
         *         "per_call_usd": "0.002"
         *       }
         *     }
         */
        NewTool: {
            default_max?: components["schemas"]["AuthorizedMax"] | null;
            /** @description For people. */
            description?: string | null;
            /**
             * @description For people.
             * @example Web search
             */
            name: string;
            /**
             * @description A price in full, or `{ "per_call_usd": "0.002" }` alone.
             * @example {
             *       "per_call_usd": "0.002"
             *     }
             */
            price: components["schemas"]["PriceInput"] | components["schemas"]["PerCallPrice"];
            /**
             * @description Lower-case letters, digits and inner hyphens.
             * @example web-search
             */
            slug: string;
        };
        /**
         * @example {
         *       "password": "correct horse battery staple"
         *     }
         */
        NewTotp: {
            /** @description Compared exactly as sent. */
            password: string;
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
        /** @description Invoices, failed payments and what concerns the security of the account are mailed always. */
        NotificationPreferences: {
            email: {
                /** @description A mail when the transfer of a payout fails. */
                "payout.failed": boolean;
                /** @description A mail when a payout is transferred. */
                "payout.paid": boolean;
                /** @description A mail when all of a budget, or of the cap of a pass, is spent. */
                "spending.limit_reached": boolean;
                /** @description A mail when a part of a budget, or of the cap of a pass, is spent. */
                "spending.threshold_reached": boolean;
                /** @description A mail when an endpoint of yours is disabled because it fails. */
                "webhook_endpoint.disabled": boolean;
            };
        };
        OwnAct: {
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
            /** @description The address of the caller. */
            address: string | null;
            /**
             * Format: uuid
             * @description The session, the API key or the pass that did it.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            credential_id: string | null;
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
            /** @description `X-Request-Id` of the request. */
            request_id: string | null;
            /**
             * @description `refused`: it was tried and refused, such as a sign-in.
             * @enum {string}
             */
            result: "done" | "refused";
        };
        /** @description A page, newest first. `total` is null. */
        OwnActList: {
            acts: components["schemas"]["OwnAct"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description Always null: acts are not counted. */
            total: null;
        };
        OwnCredit: {
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
        };
        /** @description A pass as its holder sees it: without the figures of its owner. */
        OwnPass: {
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
             * @description The id of the pass. It is no secret.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description The last four characters of its key.
             * @example x7Qd
             */
            last_four: string;
            /** @description Less than 10 % is left of its cap, or of that of a pass above it. */
            low: boolean;
            /**
             * @description For its owner, to tell passes apart.
             * @example research agent
             */
            name: string;
            /**
             * Format: uuid
             * @description The pass that made it, which bounds it and pays for its calls, too; null for a pass of the account.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            parent_id: string | null;
            paused: boolean;
            /**
             * @description The first characters of its key.
             * @example tg_pass_ab12
             */
            prefix: string;
            /**
             * Format: date-time
             * @description When this window ends; null for none.
             * @example 2026-11-21T12:00:00.000Z
             */
            resets_at: string | null;
            tags: {
                [key: string]: string;
            };
            /**
             * @description The slugs of the tools that the pass allows; `*` for all tools.
             * @example [
             *       "web-search"
             *     ]
             */
            tools: "*" | string[];
        };
        /** @description A key that a consumer hands out, without the key itself. */
        Pass: {
            /** @description A call that can come to more needs your approval; null if none does. */
            approve_above_usd: number | null;
            /** @description Null without a cap. */
            cap: {
                /** @description US dollars, up to six decimals. */
                amount_usd: number;
                /**
                 * @description A day or a calendar month, in UTC; `total`: once and for all.
                 * @enum {string}
                 */
                window: "day" | "month" | "total";
            } | null;
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
            /** @description What is held for calls that are authorized or not counted yet, likewise with all passes below; null without a cap. */
            held_usd: number | null;
            /**
             * Format: uuid
             * @description The id of the pass. It is no secret.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description The last four characters of its key.
             * @example x7Qd
             */
            last_four: string;
            /**
             * @description For its owner, to tell passes apart.
             * @example research agent
             */
            name: string;
            /**
             * Format: uuid
             * @description The pass that made it, which bounds it and pays for its calls, too; null for a pass of the account.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            parent_id: string | null;
            paused: boolean;
            /** @description The most that one call may come to; null without such a limit. */
            per_call_max_usd: number | null;
            /**
             * @description The first characters of its key.
             * @example tg_pass_ab12
             */
            prefix: string;
            /** @description What can still be held; null without a cap. */
            remaining_usd: number | null;
            /**
             * Format: date-time
             * @description When this window ends; null for none.
             * @example 2026-11-21T12:00:00.000Z
             */
            resets_at: string | null;
            /** @description What counted calls of this window came to, those of all passes below it included; null without a cap. More than the cap where you approved a call beyond it. */
            spent_usd: number | null;
            tags: {
                [key: string]: string;
            };
            /**
             * @description The slugs of the tools that the pass allows; `*` for all tools.
             * @example [
             *       "web-search"
             *     ]
             */
            tools: "*" | string[];
        };
        /**
         * @description The most that calls with the pass may come to in a window. Calls that do not fit into it are refused with 402.
         * @example {
         *       "amount_usd": 5,
         *       "window": "day"
         *     }
         */
        PassCap: {
            /**
             * @description US dollars, at most two decimals.
             * @example 12.5
             */
            amount_usd?: number;
            /**
             * @description A day or a calendar month, in UTC; `total`: once and for all.
             * @enum {string}
             */
            window: "day" | "month" | "total";
        };
        /**
         * @example {
         *       "pass": "tg_pass_0123456789ABCDEFabcdef0123456789ABCDEF"
         *     }
         */
        PassCheck: {
            /**
             * @description What the caller of your server sent as its bearer token: the key of a pass, or an OAuth access token.
             * @example tg_pass_0123456789ABCDEFabcdef0123456789ABCDEF
             */
            pass: string;
            /**
             * Format: uri
             * @description The URL of your server, as your tools name it. A token for another server is refused, and so is any without it.
             * @example https://mcp.example.com/mcp
             */
            resource?: string | null;
        };
        /** @description A page, newest first. */
        PassList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            passes: components["schemas"]["Pass"][];
            /** @description The number of entries on all pages. */
            total: number;
        };
        /**
         * @example {
         *       "grace_seconds": 3600
         *     }
         */
        PassRotation: {
            /**
             * @description Seconds for which the earlier key still works. Default: 0.
             * @example 3600
             */
            grace_seconds?: number | null;
        };
        /**
         * @description Only the fields that are sent change.
         * @example {
         *       "cap": {
         *         "amount_usd": 10,
         *         "window": "day"
         *       }
         *     }
         */
        PassUpdate: {
            /**
             * @description An authorization for a call that can come to more needs the approval of the owner of the pass. Calls that are recorded without an authorization do not.
             * @example 1
             */
            approve_above_usd?: number | null;
            /** @description The new cap; `null` takes it away. A raised cap counts at once. */
            cap?: components["schemas"]["PassCap"] | null;
            /**
             * Format: date-time
             * @description From this time on the pass is refused.
             * @example 2032-01-01T00:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description For its owner, to tell passes apart.
             * @example research agent
             */
            name?: string;
            /** @description A paused pass is refused until it is resumed. */
            paused?: boolean;
            /**
             * @description A call that can come to more is refused with 402.
             * @example 0.05
             */
            per_call_max_usd?: number | null;
            /**
             * @description Up to 5 texts by name, for your own reports.
             * @example {
             *       "team": "research"
             *     }
             */
            tags?: {
                [key: string]: string;
            };
            /**
             * @description The slugs of the tools that the pass allows; `*` for all tools.
             * @example [
             *       "web-search"
             *     ]
             */
            tools?: "*" | string[];
        };
        /**
         * @example {
         *       "current_password": "correct horse battery staple",
         *       "new_password": "another horse battery staple"
         *     }
         */
        PasswordChange: {
            /** @description Compared exactly as sent. */
            current_password: string;
            /**
             * @description Used exactly as sent. A password is refused if it is a common one, blanks alone, our name with a few characters, or the e-mail.
             * @example correct horse battery staple
             */
            new_password: string;
            /** @description Whether all API keys of the account end, too. Default: `false`. */
            revoke_api_keys?: boolean;
        };
        /**
         * @example {
         *       "email": "ada@example.com"
         *     }
         */
        PasswordReset: {
            /**
             * @description Trimmed and lower-cased.
             * @example ada@example.com
             */
            email: string;
        };
        PaymentMethod: {
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
        };
        PaymentMethodSetup: {
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: uri
             * @description Send the browser to this address. It works once.
             */
            setup_url: string;
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
        PayoutAttempt: {
            /** @description Whole cents, rounded down. */
            amount_usd: number;
            /** @description Why the processor refused the order; null if it did not. */
            failure_code: string | null;
            /** @description The number of the attempt, from 1. */
            number: number;
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
        PayoutDetail: {
            /** @description Gross: always `net_usd` + `fee_usd`. */
            amount_usd: number;
            /** @description The transfers, oldest first. */
            attempts: components["schemas"]["PayoutAttempt"][];
            /** @description What earlier payouts left, and what they held back for the refunds in this payout. */
            carried_in: components["schemas"]["PayoutRemainder"];
            /** @description What is left for the next payout: carried in + lines − processor fees − the payout. It includes what was held back for refunds. */
            carried_out: components["schemas"]["PayoutRemainder"];
            /** @description The platform fee; below 0 if refunds returned more of it. */
            fee_usd: number;
            /**
             * Format: uuid
             * @description The id does not change, from `pending` on.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description One line per tool, less refunds. */
            lines: components["schemas"]["PayoutLine"][];
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
            /** @description Fees of the payment processor that the payout bears, if the platform lets builders bear them; else 0. They are taken from `net_usd`. */
            processor_fees_usd: number;
            /**
             * @description `pending`: being calculated until the payout day of the period. `scheduled`: queued for transfer. `paid`: transferred. `failed`: the transfer failed, and the service tries it again.
             * @enum {string}
             */
            status: "pending" | "scheduled" | "paid" | "failed";
        };
        PayoutLine: {
            /** @description Up to six decimals. */
            charge_usd: number;
            /** @description Up to six decimals. */
            earning_usd: number;
            /** @description Up to six decimals. */
            fee_usd: number;
            /** @description The slug of the tool. */
            tool_id: string;
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
        /** @description Less than a cent each, beside what refunds took of a failed payout. For a pending payout they include its own rounding. */
        PayoutRemainder: {
            /** @description Up to six decimals. */
            earning_usd: number;
            /** @description Up to six decimals. */
            fee_usd: number;
        };
        /** @description Short form of one charge per successful call. No other field may accompany it. */
        PerCallPrice: {
            /**
             * @description Dollars per successful call.
             * @example 0.002
             */
            per_call_usd: string;
        };
        PreviewAmount: {
            /** @description As asked. */
            calls: number;
            /** @description The sum of the lines. */
            charge_usd: number;
            /** @description One per charge of the price, in its order. */
            lines: components["schemas"]["PreviewLine"][];
        };
        PreviewLine: {
            /** @description As a line of an invoice: up to six decimals. */
            charge_usd: number;
            /** @description The name of the charge; null if it has none. */
            name: string | null;
            /** @description The quantity, including the free quantity; a decimal. */
            quantity: string;
            /** @description `calls`, `ms`, or the metadata key that is summed. */
            unit: string;
        };
        /** @description What one consumer uses of the tool in one month. */
        PreviewQuantity: {
            /**
             * @description Calls in a month.
             * @example 1000
             */
            calls: number;
            /** @description Milliseconds of all of them together. Default: `0`. */
            duration_ms?: number;
            /**
             * @description Sums of metadata keys that the price names, as decimal strings. A key that is left out is 0.
             * @example {
             *       "tokens": "50000"
             *     }
             */
            measures?: {
                [key: string]: string;
            };
        };
        /** @description A price in full; without charges the tool is free. */
        Price: {
            /** @description Whether calls with `success: false` are billed. */
            bill_failed_calls: boolean;
            charges: components["schemas"]["Charge"][];
            /** @constant */
            currency: "usd";
        };
        /** @description A price in full. */
        PriceInput: {
            /** @description Default: `false`. */
            bill_failed_calls?: boolean | null;
            /** @description Without charges the tool is free. */
            charges: components["schemas"]["ChargeInput"][];
            /**
             * @description All prices are US dollars.
             * @constant
             */
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
        /** @description `per_unit`: quantity × price. `graduated`: each tier prices its own part of the quantity. `volume`: the tier that the whole quantity reaches prices all of it. `package`: each package that is begun is charged whole. */
        PriceModelInput: {
            /** @constant */
            type: "per_unit";
            /** @example 0.002 */
            unit_price_usd: string;
        } | {
            /** @description `up_to` ascends, and only the last is null. */
            tiers: {
                /** @example 0.002 */
                flat_price_usd?: string | null;
                /** @example 0.002 */
                unit_price_usd: string;
                /**
                 * @description The last quantity in this tier; null in the last tier.
                 * @example 1000
                 */
                up_to: string | null;
            }[];
            /** @constant */
            type: "graduated";
        } | {
            /** @description `up_to` ascends, and only the last is null. */
            tiers: {
                /** @example 0.002 */
                flat_price_usd?: string | null;
                /** @example 0.002 */
                unit_price_usd: string;
                /**
                 * @description The last quantity in this tier; null in the last tier.
                 * @example 1000
                 */
                up_to: string | null;
            }[];
            /** @constant */
            type: "volume";
        } | {
            /** @example 0.002 */
            package_price_usd: string;
            /** @example 1000 */
            size: string;
            /** @constant */
            type: "package";
        };
        PricePreview: {
            /** @description One per quantity, in the order of the request. */
            amounts: components["schemas"]["PreviewAmount"][];
            /** @description The price in full, as it would be kept. */
            price: components["schemas"]["Price"];
        };
        PriceVersion: {
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
            price: components["schemas"]["Price"];
        };
        /** @description A page, newest first. */
        PriceVersionList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            prices: components["schemas"]["PriceVersion"][];
            /** @description The number of entries on all pages. */
            total: number;
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
        Readiness: {
            /** @description On the port of the metrics alone, the state of each part: `ok`, or `degraded: …` if the service works without it. */
            checks?: {
                [key: string]: string;
            };
            /** @constant */
            status: "ok";
        };
        /** @description The event is durable. */
        RecordedEvent: {
            /**
             * Format: uuid
             * @description The id of the event, assigned by the service.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            event_id: string;
            /**
             * @description The event is durable.
             * @constant
             */
            status: "recorded";
            /**
             * Format: date-time
             * @description The time of the event as recorded.
             * @example 2026-11-21T12:00:00.000Z
             */
            timestamp: string;
            /** @description The slug of the tool. */
            tool_id: string;
        };
        RecoveryCodes: {
            /**
             * @description Ten codes; each replaces one `totp_code`, once. No later answer contains them.
             * @example [
             *       "7Q4ZKX-AB2MNP-WY6RTC-3HJD5E"
             *     ]
             */
            recovery_codes: string[];
        };
        /** @description An event that was acknowledged, but refused when it was counted. */
        RefusedEvent: {
            /**
             * @description The stable code of the reason.
             * @example idempotency_conflict
             */
            code: string;
            /** @description The reason in words. */
            detail: string;
            /**
             * Format: uuid
             * @description The id of the event, assigned by the service.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            event_id: string;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            received_at: string;
            /** @description The slug of the tool. */
            tool_id: string;
        };
        /** @description A page, newest first by (`timestamp`, `event_id`). `total` is null. */
        RefusedEventList: {
            events: components["schemas"]["RefusedEvent"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description Always null: events are not counted. */
            total: null;
        };
        /**
         * @example {
         *       "password": "correct horse battery staple",
         *       "totp_code": "123456"
         *     }
         */
        SecondFactorProof: {
            /** @description Compared exactly as sent. */
            password: string;
            /**
             * @description An unused recovery code, in place of `totp_code`. Case, blanks and hyphens do not matter.
             * @example 7Q4ZKX-AB2MNP-WY6RTC-3HJD5E
             */
            recovery_code?: string | null;
            /**
             * @description The code that the authenticator app shows now. It works once.
             * @example 123456
             */
            totp_code?: string | null;
        };
        Session: {
            /**
             * Format: date-time
             * @description When it began, by a registration or a sign-in.
             * @example 2026-11-21T12:00:00.000Z
             */
            created_at: string;
            /** @description Whether this request belongs to it. */
            current: boolean;
            /**
             * Format: date-time
             * @description When it ends at the latest. Neither a refresh nor a use extends it.
             * @example 2026-11-21T12:00:00.000Z
             */
            ends_at: string;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description Whether its caller holds a token, or its browser a cookie.
             * @enum {string}
             */
            kind: "token" | "browser";
            /**
             * Format: date-time
             * @description When it got its newest token; of a browser, its last use, to a minute or two.
             * @example 2026-11-21T12:00:00.000Z
             */
            refreshed_at: string;
        };
        /** @description A page, newest first. */
        SessionList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            sessions: components["schemas"]["Session"][];
            /** @description The number of entries on all pages. */
            total: number;
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
        /** @description The lines of a payout. `charge_usd`, `earning_usd` and `fee_usd` are the sums of the lines. Exactly: `carried_in.earning_usd` + `earning_usd` − `processor_fees_usd` = `payout.net_usd` + `carried_out.earning_usd`, and the same for the fees. */
        Statement: {
            carried_in: components["schemas"]["PayoutRemainder"];
            carried_out: components["schemas"]["PayoutRemainder"];
            /** @description Up to six decimals. */
            charge_usd: number;
            /**
             * @description All amounts are US dollars.
             * @constant
             */
            currency: "usd";
            /** @description Up to six decimals. */
            earning_usd: number;
            /** @description Up to six decimals. */
            fee_usd: number;
            /** @description By tool, charge and day. */
            lines: components["schemas"]["StatementLine"][];
            payout: components["schemas"]["Payout"];
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /** @description Fees of the payment processor that the payout bears, if the platform lets builders bear them; else 0. They are taken from `net_usd`. */
            processor_fees_usd: number;
        };
        StatementLine: {
            /** @description The place of the charge in its price, from 0. */
            charge: number;
            /** @description Up to six decimals. */
            charge_usd: number;
            /**
             * Format: date
             * @description The day in UTC. Null for an amount that belongs to no single day.
             */
            day: string | null;
            /** @description Up to six decimals. */
            earning_usd: number;
            /** @description Up to six decimals. */
            fee_usd: number;
            /** @description The name of the charge; null if it has none. */
            name: string | null;
            /**
             * @description The month of the calls.
             * @example 2026-11
             */
            period: string;
            /**
             * Format: uuid
             * @description The price version that rated it.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            price_id: string;
            /** @description The slug of the tool. */
            tool_id: string;
            /**
             * @description `adjustment`: counted late and billed later. `refund`: returned to the consumer, below 0.
             * @enum {string}
             */
            type: "usage" | "adjustment" | "refund";
        };
        /** @description `price` is the price that is in force now. */
        Tool: {
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
            price: components["schemas"]["Price"];
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
        };
        /** @description A page, newest first. */
        ToolList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            tools: components["schemas"]["Tool"][];
            /** @description The number of entries on all pages. */
            total: number;
        };
        /**
         * @description Absent fields do not change. `null` removes the resource and leaves other fields as they are; `""` empties the description.
         * @example {
         *       "name": "Web search",
         *       "description": "Searches the web."
         *     }
         */
        ToolUpdate: {
            default_max?: components["schemas"]["AuthorizedMax"] | null;
            /** @description For people. */
            description?: string | null;
            /**
             * @description For people.
             * @example Web search
             */
            name?: string;
            /**
             * Format: uri
             * @description The https URL of the MCP server that serves the tool; `null` removes it. Before, the server must answer, at the well-known path of RFC 9728, a document with this `resource`, with this Tollgate among its `authorization_servers`, and with your account id as `tollgate_account`.
             * @example https://mcp.example.com/mcp
             */
            resource?: string | null;
        };
        TopUp: {
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
        };
        /** @description A page, newest first. */
        TopUpList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            top_ups: components["schemas"]["TopUp"][];
            /** @description The number of entries on all pages. */
            total: number;
        };
        /**
         * @example {
         *       "amount_usd": 50
         *     }
         */
        TopUpOrder: {
            /**
             * @description US dollars, at most two decimals.
             * @example 50
             */
            amount_usd?: number;
        };
        /**
         * @example {
         *       "code": "123456"
         *     }
         */
        TotpConfirmation: {
            /**
             * @description The code that the authenticator app shows now. It works once.
             * @example 123456
             */
            code: string;
        };
        TotpState: {
            /**
             * Format: date-time
             * @description When it was turned on; null if it is off.
             * @example 2026-11-21T12:00:00.000Z
             */
            confirmed_at: string | null;
            /** @description Whether a sign-in needs a second factor. */
            enabled: boolean;
            /** @description How many recovery codes are unused. */
            recovery_codes_left: number;
        };
        /** @description A call from its receipt to its payout, as far as it has come, with the reason why it waits. */
        Trace: {
            accepted: components["schemas"]["TraceAccepted"];
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            consumer_id: string;
            counted: components["schemas"]["TraceCounted"];
            /** @description Only for the builder of the tool. Null for others, and if the call is not billed. */
            earning: components["schemas"]["TraceEarning"] | null;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            event_id: string;
            /** @description Only for the consumer. Null for others, and if the call is not billed. */
            invoice: components["schemas"]["TraceInvoice"] | null;
            /**
             * Format: uuid
             * @description The pass that paid for the call. Only for the consumer; null for others, and for a call without one.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            pass_id: string | null;
            payment: components["schemas"]["TracePayment"];
            /** @description Only for the builder of the tool. Null for others, and if there is nothing to pay out. */
            payout: components["schemas"]["TracePayout"] | null;
            rated: components["schemas"]["TraceRated"];
            tool_id: string;
        };
        TraceAccepted: {
            duration_ms: number | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            received_at: string;
            success: boolean;
            /**
             * Format: date-time
             * @description When the call happened.
             * @example 2026-11-21T12:00:00.000Z
             */
            timestamp: string;
        };
        TraceCharge: {
            /** @description The place of the charge in its price, from 0. */
            charge: number;
            /** @description The charge of this call, taken as the last call of its hour. It is the line with all calls up to the end of the hour, less the same line without this call. Each of the two is rounded once, as lines are, so with rounded or tiered prices the calls need not add up to the line. It is 0 within the free quantity, and below 0 where the call reached a cheaper volume tier. */
            charge_usd: number;
            /** @description Null if its charge is on no line, since 0 is left. */
            line: components["schemas"]["TraceLine"] | null;
            name: string | null;
            /** @description The quantity that this call adds to the line; a decimal. */
            quantity: string;
            /** @description The call’s share of the refunds of the line, in proportion to `charge_usd`, rounded towards zero. */
            refunded_usd: number;
            /** @description `calls`, `ms`, or the metadata key that is summed. */
            unit: string;
        };
        TraceCollectedBy: {
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string | null;
            number: number | null;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /** @enum {string} */
            status: "draft" | "open" | "paid" | "carried" | "past_due" | "uncollectible" | "void";
        };
        /** @description The current sum that contains the call: all calls of its hour, tool, consumer and outcome. */
        TraceCounted: {
            calls: number;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            consumer_id: string;
            duration_ms: number;
            /**
             * Format: date-time
             * @description When the hour begins.
             * @example 2026-11-21T12:00:00.000Z
             */
            hour: string;
            /**
             * @example {
             *       "tokens": "1284"
             *     }
             */
            measures: {
                [key: string]: string;
            };
            success: boolean;
            tool_id: string;
        };
        TraceEarning: {
            /** @description `charge_usd` less `fee_usd`, exactly. */
            earning_usd: number | null;
            /** @description If released: the call’s share of the fee of each line, in proportion to its charge, rounded towards zero. If expected: the fee if only this call was released now. Null if it is written off. */
            fee_usd: number | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            released_at: string | null;
            /**
             * @description `released`: the consumer has paid. `written_off`: the invoice is uncollectible or void.
             * @enum {string}
             */
            status: "expected" | "released" | "written_off";
        };
        /** @description If late calls put lines of the same price and month on several invoices, this is the first invoice. */
        TraceInvoice: {
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            due_at: string | null;
            /**
             * Format: uuid
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            issued_at: string | null;
            number: number | null;
            /**
             * @description A calendar month in UTC.
             * @example 2026-11
             */
            period: string;
            /** @enum {string} */
            status: "draft" | "open" | "paid" | "carried" | "past_due" | "uncollectible" | "void";
            /** @description The billed amount of the invoice; null for a draft. */
            total_usd: number | null;
        };
        /** @description The whole line that contains the call: of the invoice, or of the current draft. */
        TraceLine: {
            /**
             * @description The closed period of a call that was counted late; null for the period of the invoice.
             * @example 2026-11
             */
            adjustment_of: string | null;
            /** @description Up to six decimals. */
            charge_usd: number;
            quantity: string;
        };
        TracePayment: {
            /** @description The invoice that collects the charge: its own, or the one into which it was carried. */
            collected_by: components["schemas"]["TraceCollectedBy"] | null;
            /** @description Why the last charge failed. */
            failure_code: string | null;
            /**
             * Format: date-time
             * @description When the wait ends, if that is known. A period does not close before this time, nor before everything is counted.
             * @example 2026-11-21T12:00:00.000Z
             */
            next_at: string | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            paid_at: string | null;
            /** @description The total refunds of that invoice. */
            refunded_usd: number | null;
            /** @enum {string} */
            status: "nothing_to_pay" | "waiting" | "paid" | "uncollectible" | "void";
            /**
             * @description The reason why it waits. `period_close`: there is no invoice yet. `next_invoice`: the invoice was below the minimum and is carried into the next invoice. `payment_method`: there is none, or the last charge of it was declined for good. `collection`: the charge is due. `outcome`: a charge was ordered, and its outcome is being looked up. `retry`: the charge was declined and is tried again. Builders see only `period_close` and `payment`.
             * @enum {string|null}
             */
            waits_for: "period_close" | "next_invoice" | "payment_method" | "collection" | "outcome" | "retry" | "payment" | null;
        };
        TracePayout: {
            /** @description Why the last transfer failed. */
            failure_code: string | null;
            /**
             * Format: uuid
             * @description The payout that contains the earning; null until there is one.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string | null;
            /**
             * Format: date-time
             * @description When the wait ends, if that is known. A payout day is never before its period is closed.
             * @example 2026-11-21T12:00:00.000Z
             */
            next_at: string | null;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            paid_at: string | null;
            /**
             * @description The period of the payout, which contains the money that was collected until its payout day.
             * @example 2026-11
             */
            period: string | null;
            /** @enum {string} */
            status: "waiting" | "scheduled" | "paid" | "failed";
            /**
             * @description The reason why it waits. `payment`: the consumer has not paid yet. `payout_day`: the next payout day. `payout_account`: no account that can receive payouts is connected. `minimum`: too little is payable yet. `transfer`: the payout is queued. `outcome`: a transfer was ordered, and its outcome is being looked up. `retry`: the transfer failed and is tried again.
             * @enum {string|null}
             */
            waits_for: "payment" | "payout_day" | "payout_account" | "minimum" | "transfer" | "outcome" | "retry" | null;
        };
        TraceRated: {
            /** @description The sum of the charges. */
            charge_usd: number;
            charges: components["schemas"]["TraceCharge"][];
            /**
             * @description Why the call is counted but not billed. `own_call`: the consumer owns the tool. `failed_call`: the price does not bill failed calls. `nothing_to_charge`: no charge of the price applies. Null if it is billed.
             * @enum {string|null}
             */
            not_billed: "own_call" | "failed_call" | "nothing_to_charge" | null;
            /**
             * Format: uuid
             * @description The price version that was in force in the hour of the call.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            price_id: string;
        };
        /** @description The invoice as it would be now. A `draft` has no id, number and dates until its period is closed. */
        UpcomingInvoice: {
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
             * @description Null for a draft.
             * @example 2026-11-21T12:00:00.000Z
             */
            due_at: string | null;
            /**
             * @description Why it is not charged although it is due. `confirmation`: it is above the bound of one collection, and the operator confirms it first. `payment_method`: there is no payment method, or the one on file was refused for good. `authentication`: the bank wants its cardholder to confirm. For both, `POST /v1/billing/payment-method` links to a page where the consumer sets up or confirms a card, and everything that is owed is charged at once. Null: nothing holds it.
             * @enum {string|null}
             */
            held_for: "confirmation" | "payment_method" | "authentication" | null;
            /**
             * Format: uuid
             * @description Null for a draft.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            id: string | null;
            /**
             * Format: date-time
             * @description Null for a draft.
             * @example 2026-11-21T12:00:00.000Z
             */
            issued_at: string | null;
            /** @description The number of all lines. */
            line_count: number;
            /** @description One line per charge, price version and period. At most the first 1,000; in a list of invoices the first 20. */
            lines: components["schemas"]["InvoiceLine"][];
            /** @description Whether `lines` has only the first ones. `GET /v1/billing/invoices/{id}/lines` lists all. */
            lines_truncated: boolean;
            /** @description Null for a draft. */
            number: number | null;
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
             * @description `draft`: the period is not closed.
             * @enum {string}
             */
            status: "draft" | "open" | "paid" | "carried" | "past_due" | "uncollectible" | "void";
            /** @description The billed amount: whole cents, rounded down; 0 below the minimum. */
            total_usd: number;
        };
        Usage: {
            /**
             * Format: date-time
             * @description The sums contain every acknowledged event with `received_at` before this time. Hours that ended 24 hours before it are final, apart from late adjustments.
             * @example 2026-11-21T12:00:00.000Z
             */
            counted_through: string;
            totals: components["schemas"]["UsageTotals"];
            /** @description Rows without calls are left out. */
            usage: components["schemas"]["UsageRow"][];
        };
        /** @description A row has the fields by which the query splits. */
        UsageRow: {
            /** @description The number of calls. */
            calls: number;
            /** @description The amount that the calls added to the lines of their months, so that rows add up to the lines exactly. It is below 0 where the calls reached a cheaper volume tier. Passes share an hour in the order of their ids, after the calls without a pass, so passes add up exactly, too. It is absent, like all money, with `success` in `group_by`. */
            charge_usd?: number;
            /**
             * Format: uuid
             * @description With `group_by=consumer_id`.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            consumer_id?: string;
            /** @description The sum of the durations, in milliseconds. */
            duration_ms: number;
            /** @description For builders: the charge less the platform fee. */
            earning_usd?: number;
            /** @description The number of calls with `success: false`. */
            failures: number;
            /** @description For builders: the platform fee on the charge, given the gross of all calls before it. */
            fee_usd?: number;
            /**
             * @description Sums of the metadata keys that the prices name, as decimal strings.
             * @example {
             *       "tokens": "1284"
             *     }
             */
            measures: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description With `group_by=pass_id`: the pass that paid for the calls; null for calls without one.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            pass_id?: string | null;
            /**
             * Format: date-time
             * @description With `granularity`: the start of the hour, day or month.
             * @example 2026-11-21T12:00:00.000Z
             */
            start?: string;
            /** @description With `group_by=success`. */
            success?: boolean;
            /** @description The number of calls with `success: true`. */
            successes: number;
            /**
             * @description With tags in `group_by`: what those tags of the passes are now. Null for passes without the tag, and for calls without a pass.
             * @example {
             *       "team": "research"
             *     }
             */
            tags?: {
                [key: string]: string | null;
            };
            /** @description With `group_by=tool_id`. */
            tool_id?: string;
        };
        UsageTotals: {
            /** @description The number of calls. */
            calls: number;
            /** @description The amount that the calls added to the lines of their months, so that rows add up to the lines exactly. It is below 0 where the calls reached a cheaper volume tier. Passes share an hour in the order of their ids, after the calls without a pass, so passes add up exactly, too. It is absent, like all money, with `success` in `group_by`. */
            charge_usd?: number;
            /** @description The sum of the durations, in milliseconds. */
            duration_ms: number;
            /** @description For builders: the charge less the platform fee. */
            earning_usd?: number;
            /** @description The number of calls with `success: false`. */
            failures: number;
            /** @description For builders: the platform fee on the charge, given the gross of all calls before it. */
            fee_usd?: number;
            /**
             * @description Sums of the metadata keys that the prices name, as decimal strings.
             * @example {
             *       "tokens": "1284"
             *     }
             */
            measures: {
                [key: string]: string;
            };
            /** @description The number of calls with `success: true`. */
            successes: number;
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
        WebhookAttempt: {
            /** @description The first KiB of the answer. */
            answer: string | null;
            duration_ms: number;
            /**
             * Format: uuid
             * @description The endpoint that was told.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            endpoint_id: string;
            /** @description Why it failed; null if it succeeded. */
            error: string | null;
            /** @description From 1, for this endpoint. */
            number: number;
            /**
             * Format: date-time
             * @description UTC with milliseconds.
             * @example 2026-11-21T12:00:00.000Z
             */
            started_at: string;
            /** @description The status of the answer; null if there was none. */
            status: number | null;
        };
        /** @description All attempts of one event, oldest first. */
        WebhookAttemptList: {
            attempts: components["schemas"]["WebhookAttempt"][];
            /** @description The number of attempts. */
            total: number;
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
        WebhookDelivery: {
            /** @description The number of attempts that were begun. */
            attempts: number;
            /**
             * Format: uuid
             * @description The endpoint that is told.
             * @example 0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b
             */
            endpoint_id: string;
            /**
             * Format: date-time
             * @description Null unless it is pending.
             * @example 2026-11-21T12:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * @description `pending`: it is tried until it succeeds. `failed`: the last try failed, or the endpoint was disabled.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
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
        WebhookEventDetail: {
            /** @description The object after the change, by the schema of the type. */
            data: {
                [key: string]: unknown;
            };
            /** @description One for each endpoint. */
            deliveries: components["schemas"]["WebhookDelivery"][];
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
        /** @description A page, newest first. */
        WebhookEventList: {
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The cursor of the next page; null at the end. */
            next_cursor: string | null;
            /** @description The number of entries on all pages. */
            total: number;
            webhook_events: components["schemas"]["WebhookEvent"][];
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
         *       "from": "2026-11-21T12:00:00.000Z"
         *     }
         */
        WebhookRedelivery: {
            /**
             * Format: date-time
             * @description Only events from this time on.
             * @example 2026-11-21T12:00:00.000Z
             */
            from: string;
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
        WebhooksRedelivered: {
            /** @description How many events are sent again. */
            redelivered: number;
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
    getSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All parts work. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    listApiKeys: {
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
            /** @description A page of keys, without the keys themselves. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "production",
                 *       "can": [
                 *         "events"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The created key. No later answer contains it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    deleteApiKey: {
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
            /** @description The key is revoked. All services refuse it within a second. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listApprovals: {
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
            /** @description A page of approvals, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalList"];
                };
            };
        };
    };
    approveCall: {
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
            /** @description The approval. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    refuseCall: {
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
            /** @description The approval. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    closeAccount: {
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
                 *       "password": "correct horse battery staple",
                 *       "totp_code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["SecondFactorProof"];
            };
        };
        responses: {
            /** @description The account is closed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountClosure"];
                };
            };
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description Only acts of this kind. */
                action?: "account.registered" | "account.signed_in" | "device_login.approved" | "session.ended" | "api_key.created" | "api_key.revoked" | "embed.created" | "embed_origins.changed" | "pass.created" | "pass.changed" | "pass.rotated" | "pass.revoked" | "call.approved" | "call.refused" | "password.changed" | "email.confirmed" | "second_factor.added" | "second_factor.removed" | "second_factor.proved" | "recovery_codes.replaced" | "account.suspended" | "account.resumed" | "account.named" | "account.closed" | "account.erased" | "tool.created" | "tool.changed" | "tool.archived" | "price.added" | "payout_account.linked" | "payout_account.changed" | "payout_account.disconnected" | "billing_details.changed" | "payment_method.linked" | "payment_method.changed" | "payment_method.removed" | "invoice.refunded" | "stray_money.returned" | "invoice.voided" | "invoice.confirmed" | "credit.granted" | "top_up.ordered" | "balance.refunded" | "credit_limit.changed" | "auto_top_up.changed" | "auto_top_up.removed" | "balance_alerts.changed" | "webhook_endpoint.created" | "webhook_endpoint.changed" | "webhook_endpoint.removed" | "webhook_endpoint.secret_rotated" | "notification_preferences.changed" | "clock.moved" | "data.exported" | "signing_key.rotated" | "operator_totp.enabled" | "operator_totp.disabled" | "operator_code.created" | "operator_token.created" | "operator_token.revoked" | "operator_token.rotated" | "operator_token.used" | "operator_account.granted" | "operator_account.revoked";
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
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
                    "application/json": components["schemas"]["OwnActList"];
                };
            };
        };
    };
    listConsents: {
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
            /** @description A page of consents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentList"];
                };
            };
        };
    };
    revokeConsent: {
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
            /** @description The consent has ended, and so has its pass. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createDeviceLogin: {
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
                 *       "client": "tollgate on ada-laptop"
                 *     }
                 */
                "application/json": components["schemas"]["NewDeviceLogin"];
            };
        };
        responses: {
            /** @description Both codes. No later answer contains them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLogin"];
                };
            };
        };
    };
    redeemDeviceLogin: {
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
                 *       "device_code": "device_SGlzIGNvZGUgaXMgc2hvd24gaGVyZSBmb3IgaXRzIGZvcm0"
                 *     }
                 */
                "application/json": components["schemas"]["DeviceLoginRedemption"];
            };
        };
        responses: {
            /** @description A token of the session that was approved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
        };
    };
    requestEmailConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A mail is on its way, unless the address is confirmed and takes mail. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    login: {
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
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description A token of a new session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. All services refuse its tokens within a second. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
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
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    updateAccount: {
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
                 *       "public_name": "Weather House"
                 *     }
                 */
                "application/json": components["schemas"]["AccountUpdate"];
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    changePassword: {
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
                 *       "current_password": "correct horse battery staple",
                 *       "new_password": "another horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description The password is changed, and all other sessions have ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    requestPasswordReset: {
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
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description If there is such an account, a mail is on its way. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    replaceRecoveryCodes: {
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
                 *       "password": "correct horse battery staple",
                 *       "totp_code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["SecondFactorProof"];
            };
        };
        responses: {
            /** @description The new codes; earlier ones are void. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next token of the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
        };
    };
    register: {
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
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["NewCredentials"];
            };
        };
        responses: {
            /** @description The account exists; this token is its first. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
        };
    };
    listSessions: {
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
            /** @description A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
        };
    };
    endSession: {
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
            /** @description The session has ended. All services refuse its tokens within a second. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpState"];
                };
            };
        };
    };
    beginTotp: {
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
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["NewTotp"];
            };
        };
        responses: {
            /** @description The secret for the app. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BegunTotp"];
                };
            };
        };
    };
    confirmTotp: {
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
                "application/json": components["schemas"]["TotpConfirmation"];
            };
        };
        responses: {
            /** @description The second factor is on. These are its codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    removeTotp: {
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
                 *       "password": "correct horse battery staple",
                 *       "totp_code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["SecondFactorProof"];
            };
        };
        responses: {
            /** @description A sign-in needs the password alone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listAuthorizations: {
        parameters: {
            query: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
                /** @description A name of yours for the call, such as the id of its job. Its open authorizations are listed by it. */
                reference: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of authorizations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationList"];
                };
            };
        };
    };
    askAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `idempotency_key`, if the body has no `idempotency_key`. If both are sent and differ, the answer is 400. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tool_id": "web-search",
                 *       "max": {
                 *         "duration_ms": 2000,
                 *         "metadata": {
                 *           "tokens": 4000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationInput"];
            };
        };
        responses: {
            /** @description The authorization. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Authorization"];
                };
            };
        };
    };
    getAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                authorization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The authorization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Authorization"];
                };
            };
        };
    };
    releaseAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                authorization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing is held. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    extendAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                authorization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ttl_seconds": 3600,
                 *       "reference": "job-1"
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationExtension"];
            };
        };
        responses: {
            /** @description The authorization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Authorization"];
                };
            };
        };
    };
    increaseAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                authorization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "max": {
                 *         "duration_ms": 4000,
                 *         "metadata": {
                 *           "tokens": 8000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationIncrease"];
            };
        };
        responses: {
            /** @description The authorization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Authorization"];
                };
            };
        };
    };
    getBillingAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The billing account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingAccount"];
                };
            };
        };
    };
    createLoginLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginLink"];
                };
            };
        };
    };
    listSpendingAlerts: {
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
    getAutoTopUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The automatic top-up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoTopUp"];
                };
            };
        };
    };
    putAutoTopUp: {
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
                 *       "below_usd": 10,
                 *       "amount_usd": 50,
                 *       "monthly_max_usd": 200
                 *     }
                 */
                "application/json": components["schemas"]["AutoTopUpInput"];
            };
        };
        responses: {
            /** @description The automatic top-up as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoTopUp"];
                };
            };
        };
    };
    deleteAutoTopUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no automatic top-up. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
        };
    };
    putBalanceAlerts: {
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
                 *       "below_usd": [
                 *         20,
                 *         5
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BalanceAlertsInput"];
            };
        };
        responses: {
            /** @description The thresholds now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceAlerts"];
                };
            };
        };
    };
    listBalanceRefunds: {
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
    refundBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_usd": 20
                 *     }
                 */
                "application/json": components["schemas"]["BalanceRefundOrder"];
            };
        };
        responses: {
            /** @description The refund. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceRefund"];
                };
            };
        };
    };
    getBalanceRefund: {
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
            /** @description The refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceRefund"];
                };
            };
        };
    };
    getBudget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The budget. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
        };
    };
    putBudget: {
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
                 *       "amount_usd": 50,
                 *       "window": "month",
                 *       "alerts": [
                 *         50,
                 *         80,
                 *         100
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BudgetInput"];
            };
        };
        responses: {
            /** @description The budget. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
        };
    };
    deleteBudget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account has no budget. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    connect: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "return_url": "https://example.com/billing",
                 *       "country": "DE"
                 *     }
                 */
                "application/json": components["schemas"]["NewConnectLink"];
            };
        };
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectLink"];
                };
            };
        };
    };
    disconnect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No payout account is connected. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listCreditNotes: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description Only the notes of this invoice. */
                invoice_id?: string;
                /** @description The most entries per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of credit notes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNoteList"];
                };
            };
        };
    };
    getCreditNote: {
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
            /** @description The credit note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNote"];
                };
            };
        };
    };
    getCreditNotePdf: {
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
            /** @description The note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getBillingDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The billing details. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingDetails"];
                };
            };
        };
    };
    setBillingDetails: {
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
                 *       "name": "Ada Analytics Ltd",
                 *       "address": [
                 *         "12 Engine Street",
                 *         "London W1U 8ED"
                 *       ],
                 *       "country": "GB",
                 *       "tax_id": "GB123456789"
                 *     }
                 */
                "application/json": components["schemas"]["NewBillingDetails"];
            };
        };
        responses: {
            /** @description The billing details. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingDetails"];
                };
            };
        };
    };
    getForecast: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The forecast. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forecast"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
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
                    "application/json": components["schemas"]["InvoiceList"];
                };
            };
        };
    };
    getInvoice: {
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
            /** @description The invoice. */
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
    getInvoicePdf: {
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
            /** @description The invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    listInvoiceLines: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceLineList"];
                };
            };
        };
    };
    getUpcomingInvoice: {
        parameters: {
            query?: {
                /** @description A calendar month in UTC. Default: the current month. */
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft, or the invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpcomingInvoice"];
                };
            };
        };
    };
    getPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment method. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethod"];
                };
            };
        };
    };
    setUpPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "return_url": "https://example.com/billing"
                 *     }
                 */
                "application/json": components["schemas"]["NewPaymentMethodSetup"];
            };
        };
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodSetup"];
                };
            };
        };
    };
    removePaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no payment method. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listPayouts: {
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
                    "application/json": components["schemas"]["PayoutList"];
                };
            };
        };
    };
    getPayout: {
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
            /** @description The payout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDetail"];
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @description The month of the payout, in UTC. Default: the current month. */
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                };
            };
        };
    };
    listTopUps: {
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
            /** @description A page of top-ups. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopUpList"];
                };
            };
        };
    };
    createTopUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_usd": 50
                 *     }
                 */
                "application/json": components["schemas"]["TopUpOrder"];
            };
        };
        responses: {
            /** @description The top-up. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopUp"];
                };
            };
        };
    };
    getTopUp: {
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
            /** @description The top-up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopUp"];
                };
            };
        };
    };
    createEmbed: {
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
                 *       "page": "usage",
                 *       "ttl_seconds": 900,
                 *       "theme": "light"
                 *     }
                 */
                "application/json": components["schemas"]["NewEmbed"];
            };
        };
        responses: {
            /** @description The address. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Embed"];
                };
            };
        };
    };
    getEmbedOrigins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The origins whose pages may frame embeds of the account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedOrigins"];
                };
            };
        };
    };
    putEmbedOrigins: {
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
                 *       "origins": [
                 *         "https://app.example.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EmbedOrigins"];
            };
        };
        responses: {
            /** @description The origins whose pages may frame embeds of the account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedOrigins"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description Only events at or after this time. */
                from?: string;
                /** @description Only the event with this key; for `role=consumer`. */
                idempotency_key?: string;
                /** @description The most entries per page. */
                limit?: number;
                /** @description Only calls that this pass paid for; for `role=consumer`. */
                pass_id?: string;
                /** @description `consumer`: your calls. `builder`: the calls of your tools. */
                role?: "consumer" | "builder";
                /** @description Only events before this time. */
                to?: string;
                /** @description Only events of this tool. */
                tool_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, by time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
        };
    };
    recordEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `idempotency_key`, if the body has no `idempotency_key`. If both are sent and differ, the answer is 400. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
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
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description The event is durable. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountedEvent"];
                };
            };
        };
    };
    traceEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trace so far. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trace"];
                };
            };
        };
    };
    recordEvents: {
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
                 *       "events": [
                 *         {
                 *           "tool_id": "web-search",
                 *           "duration_ms": 120,
                 *           "success": true,
                 *           "metadata": {
                 *             "model": "small",
                 *             "tokens": 1284
                 *           }
                 *         },
                 *         {
                 *           "tool_id": "web-search",
                 *           "success": false
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EventBatch"];
            };
        };
        responses: {
            /** @description The result of each item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventBatchResult"];
                };
            };
        };
    };
    listRefusedEvents: {
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
            /** @description A page of refused events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefusedEventList"];
                };
            };
        };
    };
    getNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every kind of mail that you may switch off. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
        };
    };
    putNotificationPreferences: {
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
                 *       "email": {
                 *         "payout.paid": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewNotificationPreferences"];
            };
        };
        responses: {
            /** @description Every kind of mail that you may switch off. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
        };
    };
    listPasses: {
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
            /** @description A page of live passes, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PassList"];
                };
            };
        };
    };
    createPass: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "research agent",
                 *       "tools": [
                 *         "web-search"
                 *       ],
                 *       "cap": {
                 *         "amount_usd": 5,
                 *         "window": "day"
                 *       },
                 *       "tags": {
                 *         "team": "research"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewPass"];
            };
        };
        responses: {
            /** @description The pass. Its `key` is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedPass"];
                };
            };
        };
    };
    getPass: {
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
            /** @description The pass. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pass"];
                };
            };
        };
    };
    deletePass: {
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
            /** @description The pass is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updatePass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cap": {
                 *         "amount_usd": 10,
                 *         "window": "day"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PassUpdate"];
            };
        };
        responses: {
            /** @description The pass as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pass"];
                };
            };
        };
    };
    rotatePass: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
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
                "application/json": components["schemas"]["PassRotation"];
            };
        };
        responses: {
            /** @description The pass with its new `key`, shown this once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedPass"];
                };
            };
        };
    };
    checkPass: {
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
                 *       "pass": "tg_pass_0123456789ABCDEFabcdef0123456789ABCDEF"
                 *     }
                 */
                "application/json": components["schemas"]["PassCheck"];
            };
        };
        responses: {
            /** @description The pass. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedPass"];
                };
            };
        };
    };
    getOwnPass: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pass. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnPass"];
                };
            };
        };
    };
    listChildPasses: {
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
            /** @description A page of live children, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChildPassList"];
                };
            };
        };
    };
    createChildPass: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "a helper",
                 *       "tools": "*",
                 *       "cap": {
                 *         "amount_usd": 1,
                 *         "window": "total"
                 *       },
                 *       "expires_at": "2032-01-01T00:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["NewChildPass"];
            };
        };
        responses: {
            /** @description The child. Its `key` is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedChildPass"];
                };
            };
        };
    };
    previewPrice: {
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
                 *       "price": {
                 *         "per_call_usd": "0.002"
                 *       },
                 *       "quantities": [
                 *         {
                 *           "calls": 10
                 *         },
                 *         {
                 *           "calls": 1000
                 *         },
                 *         {
                 *           "calls": 100000
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewPricePreview"];
            };
        };
        responses: {
            /** @description The amounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricePreview"];
                };
            };
        };
    };
    listTools: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
                /** @description `me`: your tools. `all`: the public catalogue. */
                owner?: "me" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tools. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolList"];
                };
            };
        };
    };
    createTool: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slug": "web-search",
                 *       "name": "Web search",
                 *       "description": "Searches the web.",
                 *       "price": {
                 *         "per_call_usd": "0.002"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewTool"];
            };
        };
        responses: {
            /** @description The tool. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"];
                };
            };
        };
    };
    getTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Lower-case letters, digits and inner hyphens. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tool. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"];
                };
            };
        };
    };
    updateTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Lower-case letters, digits and inner hyphens. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Web search",
                 *       "description": "Searches the web."
                 *     }
                 */
                "application/json": components["schemas"]["ToolUpdate"];
            };
        };
        responses: {
            /** @description The updated tool. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"];
                };
            };
        };
    };
    archiveTool: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Lower-case letters, digits and inner hyphens. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archived tool. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"];
                };
            };
        };
    };
    listPriceVersions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description The most entries per page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Lower-case letters, digits and inner hyphens. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of price versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceVersionList"];
                };
            };
        };
    };
    createPriceVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Lower-case letters, digits and inner hyphens. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price": {
                 *         "per_call_usd": "0.003"
                 *       },
                 *       "effective_from": "2099-01-01T00:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["NewPriceVersion"];
            };
        };
        responses: {
            /** @description The price version. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceVersion"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description A full hour. Default: the start of the current month (UTC). */
                from?: string;
                /** @description Splits rows by time (UTC). Default: one row for the whole range. */
                granularity?: "hour" | "day" | "month";
                /** @description Splits rows by these fields, separated by commas. With `success` the rows have no money fields. `pass_id` and the tags of passes, as `tag.team`, are for `role=consumer`. A tag with a comma in its name cannot be asked for. */
                group_by?: (("tool_id" | "consumer_id" | "success" | "pass_id") | string)[];
                /** @description `consumer`: your calls. `builder`: the calls of your tools. */
                role?: "consumer" | "builder";
                /** @description A full hour, not included. Default: the end of the current month. */
                to?: string;
                /** @description Only this tool. */
                tool_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
        };
    };
    listWebhookEndpoints: {
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
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
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
    getWebhookEndpoint: {
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
    deleteWebhookEndpoint: {
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
            /** @description The endpoint is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
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
    redeliverFailedWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-11-21T12:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookRedelivery"];
            };
        };
        responses: {
            /** @description They are sent at once. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhooksRedelivered"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path. */
                "Idempotency-Key"?: string;
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
    testWebhookEndpoint: {
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
    listWebhookEvents: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. It is opaque; any other value is 400. */
                cursor?: string;
                /** @description Only events at or after this time. */
                from?: string;
                /** @description The most entries per page. */
                limit?: number;
                /** @description Only events before this time. */
                to?: string;
                /** @description Only events of this type. */
                type?: "invoice.issued" | "invoice.paid" | "invoice.payment_failed" | "invoice.past_due" | "invoice.uncollectible" | "invoice.voided" | "invoice.refunded" | "credit_note.issued" | "payment_method.updated" | "payment_method.removed" | "dispute.opened" | "dispute.won" | "dispute.lost" | "balance.topped_up" | "top_up.failed" | "balance.refunded" | "credit.granted" | "credit.expired" | "payout.scheduled" | "payout.paid" | "payout.failed" | "payout.reversed" | "payout_account.connected" | "payout_account.updated" | "payout_account.disconnected" | "spending.threshold_reached" | "spending.limit_reached" | "spending.forecast_exceeds_budget" | "spending.anomaly" | "balance.low" | "auto_top_up.failed" | "auto_top_up.limit_reached" | "tool.created" | "tool.price_added" | "tool.archived" | "tool.first_call" | "api_key.created" | "api_key.revoked" | "api_key.expired" | "oauth.consent_given" | "oauth.consent_revoked" | "webhook_endpoint.disabled" | "account.registered" | "dead_letter.stored" | "ledger.difference_found" | "webhook.test";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventList"];
                };
            };
        };
    };
    getWebhookEvent: {
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
            /** @description The event, and whom it was told. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventDetail"];
                };
            };
        };
    };
    listWebhookAttempts: {
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
            /** @description All attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAttemptList"];
                };
            };
        };
    };
    redeliverWebhookEvent: {
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
            /** @description The event, and whom it is told. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventDetail"];
                };
            };
        };
    };
}
