-- A payout account that is gone at the processor is replaced by a new one when its builder connects again.
grant update (processor_account_id) on billing.connected_account to billing_worker;
