import HTTPTypes
import ServiceSupport
import Telemetry

extension Response {
    /// A response is for one caller and one time.
    static let everyResponse: HTTPFields = [
        .cacheControl: "no-store",
        .pragma: "no-cache",
        .xContentTypeOptions: "nosniff",
    ]

    /// The length that the head announces; nil for a status without content (RFC 9110 section 8.6).
    var contentLength: Int? { status == .noContent ? nil : body.count }

    var allFields: HTTPFields {
        var fields = headers
        if isJSON { fields[.contentType] = "application/json" }
        guard let requestID else { return fields }
        fields.append(contentsOf: Self.everyResponse)
        fields[.date] = DateField.now()
        fields[.requestID] = requestID.description
        fields[.contentLength] = contentLength.map { String($0) }
        return fields
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    static let pragma = Self("Pragma")!
}
