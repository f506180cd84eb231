/**
 * Answers the questions of a gateway in one step: which requests do the limits admit, and what were the first answers to
 * these events?
 *
 *   KEYS: a bucket per request, then a reply per event.
 *   ARGV: the number of buckets, the limit, the window in microseconds.
 *   Answer: [admitted 1 or 0, remaining, microseconds until the next request would be admitted] per request, one after the
 *   other, then the reply per event, nil where there is none.
 *
 * A bucket is the list of the times of its admitted requests, oldest first: the sliding window of
 * packages/runtime/src/limits/sliding-window.ts. It uses the clock of this server, so the gateways' clocks do not
 * matter. After a fail-over to a server whose clock is behind, the newest time lies ahead. Such a bucket starts anew;
 * otherwise it would stay shut for as long as the clocks are apart.
 */
export const judgeScript = `
local buckets, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local function admit(bucket)
  local newest = redis.call('LINDEX', bucket, -1)
  if newest and (tonumber(newest) > now or now - newest >= window) then redis.call('DEL', bucket) end
  local oldest = redis.call('LINDEX', bucket, 0)
  while oldest and now - oldest >= window do
    redis.call('LPOP', bucket)
    oldest = redis.call('LINDEX', bucket, 0)
  end
  local count = redis.call('LLEN', bucket)
  local admitted = count < limit
  if admitted then
    redis.call('RPUSH', bucket, string.format('%.0f', now))
    redis.call('PEXPIRE', bucket, math.ceil(window / 1000))
    count = count + 1
  end
  local wait = 0
  if count >= limit then wait = (oldest or now) + window - now end
  return admitted and 1 or 0, limit - count, wait
end

local answers = {}
for place = 1, buckets do
  local admitted, remaining, wait = admit(KEYS[place])
  answers[3 * place - 2] = admitted
  answers[3 * place - 1] = remaining
  answers[3 * place] = wait
end
if #KEYS > buckets then
  local replies = redis.call('MGET', unpack(KEYS, buckets + 1))
  for place = 1, #replies do answers[3 * buckets + place] = replies[place] end
end
return answers
`;
