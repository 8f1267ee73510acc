-- Decides one request of a client by a sliding window.
-- KEYS[1]  the client: the times of its accepted requests, oldest first, one space between
-- ARGV     the quota (0 takes no slot), the window and the caller's clock, in microseconds
-- Returns  whether the request is accepted, the requests in the window, the age of the oldest
local quota, window = tonumber(ARGV[1]), tonumber(ARGV[2])

-- One clock for all instances: the server's. Some vendors refuse TIME in a script.
local now = redis.pcall('TIME')
if now.err then
  now = tonumber(ARGV[3])
else
  now = now[1] * 1000000 + now[2]
end

local log = redis.pcall('GET', KEYS[1])
if type(log) == 'table' then
  if string.sub(log.err, 1, 9) ~= 'WRONGTYPE' then
    return log
  end
  log = '' -- a foreign value is overwritten
end

-- %.0f because Lua prints only 14 digits by default.
local kept, changed = {}, false
for word in string.gmatch(log or '', '%d+') do
  local at = tonumber(word)
  if at > now then -- the clock was set back: the request counts for one window from now
    at, changed = now, true
  end
  if now - at < window then
    kept[#kept + 1] = string.format('%.0f', at)
  end
end

local accepted = 0
if #kept < quota then
  kept[#kept + 1] = string.format('%.0f', now)
  accepted, changed = 1, true
end
if changed then
  redis.call('SET', KEYS[1], table.concat(kept, ' '), 'PX', math.ceil(window / 1000))
end
return {accepted, #kept, now - (tonumber(kept[1]) or now)}
