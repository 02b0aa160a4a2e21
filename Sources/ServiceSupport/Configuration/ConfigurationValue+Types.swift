import FleetToken

extension ConfigurationValue {
    /// `HOST:PORT`, an IPv6 address in brackets.
    package func listenAddress() -> ListenAddress? {
        guard let text = text() else { return nil }
        if let address = ListenAddress(text) { return address }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let port = parts.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let isNumber = parts.count > 1 && !port.isEmpty && port.utf8.allSatisfy(\.isASCIIDigit)
        if isNumber, UInt16(port) == nil {
            report("has a port out of range: \(port). Ports go from 0 to 65535.")
        } else {
            report("must be HOST:PORT in quotes, such as \"0.0.0.0:8080\" or \"[::]:8080\".")
        }
        return nil
    }

    /// Returns what is made of a text, or reports the error.
    package func checked<Value>(_ check: (String) throws(OperatorError) -> Value) -> Value? {
        guard let text = text() else { return nil }
        do throws(OperatorError) {
            return try check(text)
        } catch {
            report(error.description)
            return nil
        }
    }
}
