-- The gateway has routes of the operator too. A wrong token there leaves its row, as at auth and billing, and no other row.
grant usage on schema audit to ingest_gateway_worker;
create policy wrong_tokens_at_gateway on audit.act for insert to ingest_gateway_worker
  with check (action = 'operator_token.used' and result = 'refused');
grant insert (action, result, account_id, actor, actor_account_id, credential_id, operator_name, address, request_id,
  object_kind, object_id, detail) on audit.act to ingest_gateway_worker;
