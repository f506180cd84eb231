-- The same answer as before, in a language that keeps its plans: the function runs for each posting of a close, and
-- planning took most of its time. Plans are kept while the tables grow, so none may be one that reads a table whole.
create or replace function billing.period_of_posting(business_key text, occurred_at timestamptz) returns text
language plpgsql stable security definer set search_path = pg_catalog set enable_seqscan = off
as $$
declare
  invoiced text;
begin
  if business_key ~ '^close:[0-9a-f-]{36}$' then
    invoiced := (select i.period from billing.invoice i where i.invoice_id = substr(business_key, 7, 36)::uuid);
  end if;
  return greatest(
    coalesce(invoiced, to_char(occurred_at at time zone 'UTC', 'YYYY-MM')),
    (select to_char((max(c.period) || '-01')::date + interval '1 month', 'YYYY-MM') from billing.closed_period c)
  );
end
$$;
