#!/bin/sh
# Runs at the first start: creates the role of `tollgate migrate`, which creates all other roles, and its database.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -v password="$TOLLGATE_OWNER_PASSWORD" <<'SQL'
create role tollgate_owner login createrole password :'password';
-- As the embedded one: texts are compared byte by byte, which the ranges of business keys go by.
create database tollgate owner tollgate_owner template template0 encoding 'UTF8'
  locale 'C' locale_provider builtin builtin_locale 'C.UTF-8';
SQL
