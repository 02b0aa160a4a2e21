import FleetToken
import ServiceSupport

extension ConnectionPolicy {
    /// Reads the times of `service` that are there.
    mutating func readTimes(_ service: ConfigurationSection) {
        request = service["requestTimeout"]?.duration(.seconds(1) ... .seconds(300)) ?? request
        idle = service["idleTimeout"]?.duration(.seconds(1) ... .seconds(3600)) ?? idle
    }

    /// Reads the number of `limits`, if it is there.
    mutating func readNumber(_ limits: ConfigurationSection) {
        maximumConnections = limits["connections"]?.integer(1...1_000_000).map(Int.init) ?? maximumConnections
    }

    /// The maximum time of a webhook's response: a grant may need two, and a signature of Google's.
    var webhook: Duration { request / 5 }

    /// The maximum time of a signature of Google's, which takes about 100 milliseconds.
    var signature: Duration { min(.seconds(5), request / 2) }
}

/// Values of the public listener's settings.
extension ConfigurationValue {
    /// Returns a web origin: scheme, host and optionally a port.
    func origin() -> String? {
        guard let text = text() else { return nil }
        guard let origin = Self.origin(text) else {
            report(
                text.utf8.allSatisfy { $0 < 0x80 }
                    ? "must be an origin, such as https://ops.example.com: a scheme and a host in lower case, without path and wildcard."
                    : "must be an origin in ASCII. Write the host's name as browsers send it, such as https://xn--bcher-kva.example."
            )
            return nil
        }
        guard origin.hasSameBytes(as: text) else {
            report("is not what browsers send, so it would match no page. Write \(origin).")
            return nil
        }
        return text
    }

    /// Returns the origin of a URL as browsers write it; nil if it has none, or more than an origin.
    private static func origin(_ text: String) -> String? {
        let lower = String(decoding: text.utf8.lowercasedASCII, as: UTF8.self)
        guard let url = try? EndpointURL(lower), let first = url.scheme.utf8.first, first.isASCIISmall,
            url.scheme.utf8.allSatisfy({ $0.isASCIISmall || $0.isASCIIDigit || "+-.".utf8.contains($0) }),
            !["file", "data", "blob"].contains(url.scheme), let host = host(url.host)
        else { return nil }
        let rest = lower.utf8.dropFirst(url.scheme.utf8.count + "://".utf8.count)
        let path = rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard path.isEmpty || path.elementsEqual("/".utf8) else { return nil }
        let usual: [String: UInt16] = ["https": 443, "http": 80]
        let port = url.port.flatMap { $0 == usual[url.scheme] ? nil : ":\($0)" } ?? ""
        return "\(url.scheme)://\(host)\(port)"
    }

    private static func host(_ host: String) -> String? {
        if let address = AddressRange.bytes(of: host) {
            guard address.count == 16 || !host.utf8.contains(UInt8(ascii: ":")) else { return nil }
            let text = AddressRange.text(of: address)
            return address.count == 16 ? "[\(text)]" : text
        }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // Browsers read a last label that begins with a digit as an IP address.
        let isName = labels.allSatisfy { !$0.isEmpty } && !(labels.last?.first?.isASCIIDigit ?? true)
        return isName ? host : nil
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
