import FleetToken
import StrictCoding

/// The contents of an error response: Google's error model (AIP-193), as `tokend` writes it.
struct ServerRefusal {
    /// `details[].reason`.
    var reason: String?
    /// `details[].metadata.requestId`.
    var requestID: String?
    /// `message`, if `tokend` wrote it, which repeats no input.
    ///
    /// The message of another server could contain an ID or a secret.
    var message: String?

    /// The maximum length of a message, in bytes.
    static let maximumMessage = 500

    /// Creates a refusal from a body; a body in another format gives no information.
    init(_ body: [UInt8]) {
        guard let error = (try? JSONParser.parse(body))?.objectValue?["error"]?.objectValue else { return }
        let details = error["details"]?.arrayValue?.compactMap(\.objectValue) ?? []
        guard let info = details.first(where: { $0["reason"]?.stringValue != nil }) else { return }
        reason = info["reason"]?.stringValue
        requestID = info["metadata"]?.objectValue?["requestId"]?.stringValue
        guard info["domain"]?.stringValue == TokenRequestError.domain, let text = error["message"]?.stringValue,
            (1...Self.maximumMessage).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIPrintable)
        else { return }
        message = text
    }
}
