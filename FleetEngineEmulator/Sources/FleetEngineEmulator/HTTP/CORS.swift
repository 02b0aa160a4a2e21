import HTTPTypes

/// Lets pages of any origin use the emulator, as Fleet Engine does; a token is needed all the same.
enum CORS {
    private static let allowOrigin = HTTPField.Name.accessControlAllowOrigin
    private static let methods = "GET, POST, PUT, PATCH, DELETE"

    /// Returns the fields for a response to a page; none for other clients.
    static func headers(for request: HTTPRequest, isPreflight: Bool) -> HTTPFields {
        guard let origin = request.headerFields[.origin] else { return [:] }
        var headers: HTTPFields = [allowOrigin: origin, .vary: "Origin"]
        guard isPreflight else { return headers }
        headers[.accessControlAllowMethods] = methods
        headers[.accessControlAllowHeaders] =
            request.headerFields[.accessControlRequestHeaders] ?? "authorization, content-type"
        headers[.accessControlMaxAge] = "600"
        return headers
    }
}
