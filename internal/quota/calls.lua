-- Decides one call of the model by the cap of a day.
-- KEYS[1]  the latest day and its calls, one space between
-- ARGV     the caller's day, in days since 1970-01-01 UTC, and the cap; 0 counts no call
-- Returns  whether the call is within the cap, and the calls of the day
local day, cap = tonumber(ARGV[1]), tonumber(ARGV[2])

local latest, calls = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
if latest and tonumber(latest) >= day then
  day, calls = tonumber(latest), tonumber(calls)
else
  calls = 0
end
if calls >= cap then
  return {0, calls}
end
redis.call('SET', KEYS[1], string.format('%.0f %.0f', day, calls + 1), 'PX', 48 * 60 * 60 * 1000)
return {1, calls + 1}
