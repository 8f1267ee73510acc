-- Decides one request by the sliding windows of a client and of its pool.
-- KEYS     the client, its pool, or both: the times of accepted requests, oldest first, one space between
-- ARGV     the window and the caller's clock, in microseconds, the quota of each key (0 takes no slot),
--          and the time of a slot that is given back, or 0
-- Returns  whether the request is accepted, the time, and for each key the requests in the window and the age of
--          the oldest
local window = tonumber(ARGV[1])

-- One clock for all instances: the server's. Some vendors refuse TIME in a script.
local now = redis.pcall('TIME')
if now.err then
  now = tonumber(ARGV[2])
else
  now = now[1] * 1000000 + now[2]
end

local counts, accepted = {}, 1
for i, key in ipairs(KEYS) do
  -- %.0f because Lua prints only 14 digits by default.
  local kept, changed, given = {}, false, ARGV[#ARGV]
  for word in string.gmatch(redis.call('GET', key) or '', '%d+') do
    local at = tonumber(word)
    if word == given then
      at, changed, given = 0, true, nil -- only one of those that came at the same time
    elseif at > now then -- the clock was set back: the request counts for one window from now
      at, changed = now, true
    end
    if now - at < window then
      kept[#kept + 1] = string.format('%.0f', at)
    end
  end
  if #kept >= tonumber(ARGV[i + 2]) then
    accepted = 0
  end
  counts[i] = {kept, changed}
end

local reply = {accepted, now}
for i, key in ipairs(KEYS) do
  local kept, changed = counts[i][1], counts[i][2]
  if accepted == 1 then
    kept[#kept + 1] = string.format('%.0f', now)
    changed = true
  end
  if changed then
    redis.call('SET', key, table.concat(kept, ' '), 'PX', math.ceil(window / 1000))
  end
  reply[#reply + 1] = #kept
  reply[#reply + 1] = now - (tonumber(kept[1]) or now)
end
return reply
