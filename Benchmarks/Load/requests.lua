-- What wrk asks for: vehicles FIRST, FIRST + 1, … of which there are IDS (0: all distinct, 1: always the same), with the
-- key in API_KEY, or with each line of the file KEYS in turn. The counts go to standard error as JSON.

local first = tonumber(os.getenv("FIRST"))
local ids = tonumber(os.getenv("IDS"))
local keys = {}
if os.getenv("KEYS") then
    for key in io.lines(os.getenv("KEYS")) do keys[#keys + 1] = key end
else
    keys[1] = os.getenv("API_KEY")
end

-- With CLOSE, each request has a connection of its own.
local close = os.getenv("CLOSE") and "\r\nConnection: close" or ""

local function bytes(id, key)
    return "GET /token/driver/v-" .. string.format("%d", id) .. " HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: " .. key
        .. close .. "\r\n\r\n"
end

local count = 0
if ids == 1 and #keys == 1 then
    wrk.path = "/token/driver/v-" .. string.format("%d", first)
    wrk.headers["X-API-Key"] = keys[1]
else
    request = function()
        local id = ids == 0 and first + count or first + count % ids
        local key = keys[1 + count % #keys]
        count = count + 1
        return bytes(id, key)
    end
end

done = function(summary)
    local errors = summary.errors
    io.stderr:write(string.format('{"answers": %d, "seconds": %.6f, "refused": %d, "errors": %d}\n', summary.requests,
        summary.duration / 1e6, errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
