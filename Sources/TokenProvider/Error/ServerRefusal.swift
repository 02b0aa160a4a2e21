import FleetToken
import StrictCoding

/// What an error answer says: Google's error model (AIP-193), as `tokend` writes it.
struct ServerRefusal {
    /// `details[].reason`.
    var reason: String?
    /// `details[].metadata.requestId`.
    var requestID: String?
    /// `message`, if it is `tokend`'s, which repeats nothing that was sent.
    ///
    /// That of another server could hold an ID or worse.
    var message: String?

    /// How long a message may be, in bytes.
    static let maximumMessage = 500

    /// Reads a body; one of another form says nothing.
    init(_ body: [UInt8]) {
        guard let error = (try? JSONParser.parse(body))?.objectValue?["error"]?.objectValue else { return }
        let details = error["details"]?.arrayValue?.compactMap(\.objectValue) ?? []
        guard let info = details.first(where: { $0["reason"]?.stringValue != nil }) else { return }
        reason = info["reason"]?.stringValue
        requestID = info["metadata"]?.objectValue?["requestId"]?.stringValue
        guard info["domain"]?.stringValue == TokenRequestError.domain, let text = error["message"]?.stringValue,
            (1...Self.maximumMessage).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return }
        message = text
    }
}
