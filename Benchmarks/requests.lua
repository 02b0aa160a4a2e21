-- What wrk asks for: a token of vehicle FIRST, FIRST + 1, … or, with REUSE, always of the first. With CLOSE, each request has a
-- connection of its own.
local number = tonumber(os.getenv("FIRST"))
local step = os.getenv("REUSE") and 0 or 1
local close = os.getenv("CLOSE") and "Connection: close\r\n" or ""
local rest = " HTTP/1.1\r\nHost: localhost\r\nX-API-Key: " .. os.getenv("API_KEY") .. "\r\n" .. close .. "\r\n"

request = function()
    number = number + step
    return "GET /token/driver/v-" .. string.format("%d", number) .. rest
end

done = function(summary)
    local errors = summary.errors
    io.stderr:write(string.format('{"answers": %d, "seconds": %.6f, "refused": %d, "broken": %d}\n', summary.requests,
        summary.duration / 1e6, errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
