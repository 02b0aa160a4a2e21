import FleetToken
import ServiceSupport

extension ConnectionPolicy {
    /// Reads the times of `service` that are there.
    mutating func readTimes(_ service: ConfigurationSection) {
        if let request = service["requestTimeout"]?.duration(.seconds(1) ... .seconds(300)) {
            (receive, handle) = (request, request)
        }
        idle = service["idleTimeout"]?.duration(.seconds(1) ... .seconds(3600)) ?? idle
    }

    /// Reads the number of `limits`, if it is there.
    mutating func readNumber(_ limits: ConfigurationSection) {
        maximumConnections = limits["connections"]?.integer(1...1_000_000).map(Int.init) ?? maximumConnections
    }

    /// The maximum time of a webhook's response: a grant may need two, and a signature of Google's.
    var webhook: Duration { handle / 5 }

    /// The maximum time of a signature of Google's, which takes about 100 milliseconds.
    var signature: Duration { min(.seconds(5), handle / 2) }
}

/// Values of the public listener's settings.
extension ConfigurationValue {
    /// Returns a web origin: scheme, host and optionally a port.
    func origin() -> String? {
        guard let text = text() else { return nil }
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.utf8.starts(with: $0.utf8) }),
            case let host = text.utf8.dropFirst(scheme.utf8.count), !host.isEmpty,
            host.allSatisfy({ $0.isASCIISmall || $0.isASCIIDigit || ".-:[]".utf8.contains($0) })
        else {
            report(
                "must be an origin, such as https://ops.example.com: a scheme and a host in lower case, without path and wildcard."
            )
            return nil
        }
        return text
    }

    func proxies() -> AddressRange? {
        guard let text = text() else { return nil }
        guard let range = AddressRange(text) else {
            report("must be an address or a range such as 10.0.0.0/8.")
            return nil
        }
        if range.prefix == 0 {
            report("would trust every client; list the proxies' addresses.")
        } else if AddressRange(range.description) != range {
            report("is an address within a range. Write \(range.description), or the address without a prefix.")
        }
        return range
    }
}
