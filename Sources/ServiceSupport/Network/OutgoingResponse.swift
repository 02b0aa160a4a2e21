package import FleetToken

/// The whole response of another server.
package struct OutgoingResponse: Sendable {
    /// The HTTP status code.
    package let status: Int
    /// The header fields by their names in lower case; of several with one name the first.
    package let headers: [String: String]
    /// The body; it may contain a token.
    package let body: Secret

    package init(status: Int, headers: [String: String] = [:], body: Secret = Secret([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The content coding of the body, which was not requested: a known name, or "an unknown one"; nil for none.
    package var contentCoding: String? {
        guard let field = headers["content-encoding"], !field.utf8.isEqual(ignoringCase: "identity"),
            !field.utf8.isEmpty
        else { return nil }
        return ["gzip", "br", "deflate", "zstd", "compress"].first { field.utf8.isEqual(ignoringCase: $0) }
            ?? "an unknown one"
    }

    /// Returns the seconds of `Retry-After`, at most `maximum`; nil if the field is missing or invalid.
    package func retryAfter(maximum: Double = RetryAfter.maximum) -> Double? {
        RetryAfter.seconds(headers["retry-after"], date: headers["date"].flatMap(HTTPDate.parse), maximum: maximum)
    }
}
