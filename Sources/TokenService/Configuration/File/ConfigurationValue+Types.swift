import FleetToken

extension ConfigurationValue {
    /// `HOST:PORT`, an IPv6 address in brackets.
    func listenAddress() -> ListenAddress? {
        guard let text = text() else { return nil }
        guard let address = ListenAddress(text) else {
            report("must be HOST:PORT, such as 0.0.0.0:8080 or [::]:8080.")
            return nil
        }
        return address
    }

    /// An ID that tokens may open.
    func resourceID(_ alphabet: ResourceID.Alphabet) -> ResourceID? {
        guard let text = text() else { return nil }
        do throws(TokenError) {
            return try ResourceID(text, alphabet: alphabet)
        } catch {
            report(error.message)
            return nil
        }
    }

    /// A web origin: scheme, host and perhaps a port, no more.
    func origin() -> String? {
        guard let text = text() else { return nil }
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.utf8.starts(with: $0.utf8) }),
            case let host = text.utf8.dropFirst(scheme.utf8.count), !host.isEmpty,
            host.allSatisfy({ Self.isHostByte($0) })
        else {
            report(
                "must be an origin, such as https://ops.example.com: a scheme and a host in lower case, no path, no *."
            )
            return nil
        }
        return text
    }

    /// An https URL; where it may stay on this machine, http to it too.
    func url(allowsLoopback: Bool) -> String? {
        guard let text = text() else { return nil }
        let isLocal = ["http://127.0.0.1", "http://[::1]", "http://localhost"].contains { prefix in
            guard text.utf8.starts(with: prefix.utf8) else { return false }
            let next = text.utf8.dropFirst(prefix.utf8.count).first
            return next == nil || next == UInt8(ascii: ":") || next == UInt8(ascii: "/")
        }
        let isSecure = text.utf8.starts(with: "https://".utf8) && text.utf8.count > "https://".utf8.count
        guard isSecure || isLocal && allowsLoopback, !text.utf8.contains(UInt8(ascii: "@")),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            report("must be an https URL without a user name\(allowsLoopback ? ", or http to this machine" : "").")
            return nil
        }
        return text
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}

extension ResourceID.Alphabet: CaseIterable {
    static var allCases: [Self] { [.ascii, .unicode] }
}
