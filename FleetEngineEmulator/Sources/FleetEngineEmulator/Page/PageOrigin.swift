#if Emulator
import HTTPServer
import HTTPTypes

/// Lets the journey page use the control plane, which has a port of its own; pages of other machines cannot.
enum PageOrigin {
    /// Returns the fields for a response to the page; none for other clients.
    static func headers(for request: HTTPRequest) -> HTTPFields {
        guard let origin = request.headerFields[.origin], isLocal(origin) else { return [:] }
        var headers: HTTPFields = [.accessControlAllowOrigin: origin, .vary: "Origin"]
        guard request.method == .options else { return headers }
        headers[.accessControlAllowMethods] = "GET, PUT"
        headers[.accessControlAllowHeaders] = "Content-Type"
        return headers
    }

    /// Returns whether a text is an origin that a content security policy can name.
    static func isValid(_ origin: String) -> Bool {
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { origin.utf8.starts(with: $0.utf8) }) else { return false }
        let authority = origin.utf8.dropFirst(scheme.utf8.count)
        return !authority.isEmpty
            && authority.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
                    UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }

    /// Returns whether an origin is a name of this machine, with any port.
    private static func isLocal(_ origin: String) -> Bool {
        let scheme = "http://"
        return origin.utf8.starts(with: scheme.utf8)
            && HostPolicy.thisMachine.allows(authority: String(origin.dropFirst(scheme.count)))
    }
}
#endif
