#!/usr/bin/env bash
# cloudevents 10.0.0 (npm) and 2.2.0 (PyPI, its v1 interface): reading an event without `time` gives it the present time.
#
# `time` is optional in CloudEvents, and meters take usage events in that form. Both SDKs fill in the moment of reading, and
# nothing shows that the sender gave none. So the same message, read again by a consumer that was started anew, moves to
# another hour, and maybe to another invoice. The npm package also cuts a time to milliseconds when it writes the event,
# although the object it was read from still shows the microseconds. Take the time from the message itself.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check cloudevents==2.2.0
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cloudevents@10.0.0
cat >read.cjs <<'JS'
const { CloudEvent, HTTP } = require('cloudevents');
const headers = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/a', 'ce-type': 'call', 'content-type': 'application/json' };
const read = () => HTTP.toEvent({ headers, body: '{}' }).time;
const first = read();
setTimeout(() => {
  console.log(`npm: has a time ${typeof first === 'string'}, the same when read again ${first === read()}`);
  const given = new CloudEvent({ id: '1', source: '/a', type: 'call', time: '2026-01-01T00:00:00.123456Z' });
  console.log(`npm: shows ${given.time}, writes ${JSON.parse(HTTP.structured(given).body).time}`);
}, 20);
JS
cat >read.py <<'PY'
import time

from cloudevents.v1.http import from_http

headers = {"ce-specversion": "1.0", "ce-id": "1", "ce-source": "/a", "ce-type": "call", "content-type": "application/json"}
first = from_http(headers, b"{}").get("time")
time.sleep(0.02)
print(f"PyPI: has a time {isinstance(first, str)}, the same when read again {first == from_http(headers, b'{}').get('time')}")
PY
seen="$(node read.cjs; venv/bin/python read.py)"
echo "$seen"
wanted='npm: has a time true, the same when read again false
npm: shows 2026-01-01T00:00:00.123456Z, writes 2026-01-01T00:00:00.123Z
PyPI: has a time True, the same when read again False'
[ "$seen" = "$wanted" ] || { echo 'the behaviour has changed' >&2; exit 1; }
