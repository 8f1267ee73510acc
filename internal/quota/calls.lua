-- Decides one call of the model by the cap of a day.
-- KEYS[1]  the calls of the day, of all clients or of one
-- ARGV[1]  the cap; 0 counts no call
-- Returns  whether the call is within the cap, and the calls of the day
local calls = tonumber(redis.call('GET', KEYS[1]) or '') or 0
if calls >= tonumber(ARGV[1]) then
  return {0, calls}
end
redis.call('SET', KEYS[1], string.format('%.0f', calls + 1), 'PX', 48 * 60 * 60 * 1000)
return {1, calls + 1}
