import FleetToken
import ServiceSupport

extension ConnectionPolicy {
    /// Creates the policy of the public listener by reading those settings of `limits` that are there.
    init(_ section: ConfigurationSection) {
        self.init()
        func seconds(_ name: String, atMost maximum: Int64) -> Duration? {
            section[name]?.integer(1...maximum).map { .seconds($0) }
        }
        maximumConnections = section["connections"]?.integer(1...1_000_000).map(Int.init) ?? maximumConnections
        idle = seconds("idleSeconds", atMost: 3600) ?? idle
        receive = seconds("receiveSeconds", atMost: 300) ?? receive
        handle = seconds("handleSeconds", atMost: 300) ?? handle
    }
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
