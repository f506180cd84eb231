-- Which tools have a new price, by index: the window of tool_price_v1 reads the whole price list for the same answer.
create view billing.tool_price_change_v1 as
select tool_id, changed_seq
from billing.tool_price
where auth.current_account_id() is not null or current_user not in ('billing_api', 'ingest_gateway_api');
grant select on billing.tool_price_change_v1 to ingest_gateway_worker;
