import FleetToken
import ServiceSupport
import StrictCoding

extension ConfigurationValue {
    /// `HOST:PORT`, an IPv6 address in brackets.
    func listenAddress() -> ListenAddress? {
        address(such: "\"0.0.0.0:8080\" or \"[::]:8080\"")
    }

    /// `HOST:PORT`, whose port a message shows where it is out of range.
    func address(such example: String) -> ListenAddress? {
        guard let text = text() else { return nil }
        if let address = ListenAddress(text) { return address }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let port = parts.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let isNumber = parts.count > 1 && !port.isEmpty && port.utf8.allSatisfy(\.isASCIIDigit)
        if isNumber, UInt16(port) == nil {
            report("has a port out of range: \(port). Ports go from 0 to 65535.")
        } else {
            report("must be HOST:PORT in quotes, such as \(example).")
        }
        return nil
    }

    /// Returns a path on the public listener that is not one for tokens or keys.
    func healthPath() -> String? {
        guard let text = text() else { return nil }
        let bytes = Array(text.utf8)
        let taken = ["/token", "/.well-known"].contains { prefix in
            bytes.starts(with: prefix.utf8)
                && (bytes.count == prefix.utf8.count || bytes[prefix.utf8.count] == UInt8(ascii: "/"))
        }
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= 64, bytes.allSatisfy(Self.isPathByte), !taken else {
            report(
                "must be a path such as /health: at most 64 letters, digits, and / - . _, and not under /token or /.well-known."
            )
            return nil
        }
        return text
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "/-._".utf8.contains(byte)
    }

    func resourceID(_ alphabet: ResourceID.Alphabet) -> ResourceID? {
        guard let text = text() else { return nil }
        do throws(TokenError) {
            return try ResourceID(text, alphabet: alphabet)
        } catch {
            report(error.message)
            return nil
        }
    }

    /// Returns a time in RFC 3339 form; it needs no quotes.
    func time() -> NumericDate? {
        // Without a time zone it would be a local time.
        guard let text = node.text, text.utf8.contains(UInt8(ascii: ":")),
            let time = NumericDate(text: text)
        else {
            report("must be a time with a time zone, such as 2026-12-01T00:00:00Z.")
            return nil
        }
        return time
    }

    /// Returns a web origin: scheme, host and optionally a port.
    func origin() -> String? {
        guard let text = text() else { return nil }
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.utf8.starts(with: $0.utf8) }),
            case let host = text.utf8.dropFirst(scheme.utf8.count), !host.isEmpty,
            host.allSatisfy({ Self.isHostByte($0) })
        else {
            report(
                "must be an origin, such as https://ops.example.com: a scheme and a host in lower case, without path and wildcard."
            )
            return nil
        }
        return text
    }

    /// Where an issuer's keys are.
    func keySetURL() -> String? {
        checked { text throws(ConfigurationError) in try KeySetURL(text).text }
    }

    func webhookURL() -> String? {
        checked { text throws(ConfigurationError) in try WebhookURL(text).text }
    }

    func idPattern(_ alphabet: ResourceID.Alphabet) -> IDPattern? {
        checked { text throws(ConfigurationError) in try IDPattern(text, alphabet: alphabet) }
    }

    /// Returns what is made of a text, or reports the error.
    private func checked<Value>(_ check: (String) throws(ConfigurationError) -> Value) -> Value? {
        guard let text = text() else { return nil }
        do throws(ConfigurationError) {
            return try check(text)
        } catch {
            report(error.description)
            return nil
        }
    }

    func proxies() -> AddressRange? {
        guard let text = text() else { return nil }
        guard let range = AddressRange(text) else {
            report("must be an address or a range such as 10.0.0.0/8.")
            return nil
        }
        if range.prefix == 0 { report("would trust every client; list the proxies' addresses.") }
        return range
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isASCIISmall || byte.isASCIIDigit || ".-:[]".utf8.contains(byte)
    }
}

extension ResourceID.Alphabet: CaseIterable {
    static var allCases: [Self] { [.ascii, .unicode] }
}
