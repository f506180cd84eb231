#!/usr/bin/env bash
# standardwebhooks 1.1.0 and svix 2.9.1 (PyPI): `sign` takes the wall clock of a datetime for UTC, whatever zone it is in.
#
# A sender in Python signs with `datetime.now().astimezone()`, or with a time that a database gave in its own zone. Both
# are the right instant. The signature is of a timestamp that is hours away from the `webhook-timestamp` header, so every
# receiver refuses it. The npm package signs the instant. Nothing fails on a server whose zone is UTC, so tests pass.
# Convert to UTC before you sign.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check standardwebhooks==1.1.0 svix==2.9.1
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts standardwebhooks@1.1.1
cat >sign.py <<'PY'
from datetime import datetime, timedelta, timezone

import standardwebhooks
import svix

secret = "whsec_" + "A" * 43 + "="
instant = datetime(2026, 1, 1, 12, 0, tzinfo=timezone.utc)
summer = instant.astimezone(timezone(timedelta(hours=2)))
for library in (standardwebhooks, svix):
    webhook = library.Webhook(secret)
    at_utc, at_two = webhook.sign("msg", instant, "{}"), webhook.sign("msg", summer, "{}")
    later = webhook.sign("msg", instant + timedelta(hours=2), "{}")
    print(f"{library.__name__}: equal instants {instant == summer}, equal signatures {at_utc == at_two}, as two hours later {at_two == later}")
    print(at_utc)
PY
cat >sign.cjs <<'JS'
const { Webhook } = require('standardwebhooks');
console.log(new Webhook(`whsec_${'A'.repeat(43)}=`).sign('msg', new Date('2026-01-01T14:00:00+02:00'), '{}'));
JS
seen="$(venv/bin/python sign.py)"
node="$(node sign.cjs)"
echo "$seen"
echo "npm, given +02:00: $node"
wanted="standardwebhooks: equal instants True, equal signatures False, as two hours later True
$node
svix: equal instants True, equal signatures False, as two hours later True
$node"
[ "$seen" = "$wanted" ] || { echo 'the behaviour has changed' >&2; exit 1; }
