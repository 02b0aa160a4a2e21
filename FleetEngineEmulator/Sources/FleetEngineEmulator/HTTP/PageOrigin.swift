import HTTPTypes

/// Lets the journey page use the control plane, which has a port of its own; pages of other machines cannot.
enum PageOrigin {
    /// Returns the fields for a response to the page; none for other clients.
    static func headers(for request: HTTPRequest) -> HTTPFields {
        guard let origin = request.headerFields[.origin], HostNames.thisMachine.allows(origin: origin) else {
            return [:]
        }
        var headers: HTTPFields = [.accessControlAllowOrigin: origin, .vary: "Origin"]
        guard request.method == .options else { return headers }
        headers[.accessControlAllowMethods] = "GET, PUT, POST, DELETE"
        headers[.accessControlAllowHeaders] = "Content-Type"
        return headers
    }

    /// Returns whether a text is an origin that a content security policy can name.
    static func isValid(_ origin: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix) else { return false }
        let authority = origin.utf8.dropFirst(scheme.utf8.count)
        return !authority.isEmpty
            && authority.allSatisfy { byte in
                Character(Unicode.Scalar(byte)).isASCII
                    && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                        || ".-:[]".utf8.contains(byte))
            }
    }
}
