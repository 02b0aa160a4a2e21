import Foundation

/// The contents of an error response: Google's error model (AIP-193), as `tokend` writes it.
struct ErrorResponse {
    /// `details[].reason`, if it has the form of one.
    private(set) var reason: String?
    /// `details[].metadata.requestId` or `X-Request-Id`, if it has the form of one.
    private(set) var requestID: String?
    /// `message`, if `tokend` wrote it, which repeats no input.
    ///
    /// The message of another server could contain an ID or a secret.
    private(set) var message: String?

    /// The maximum length of a message, in bytes.
    static let maximumMessage = 500

    /// Reads a response; a body in another format gives no information.
    init(_ response: ServerResponse) {
        let error = JSON(response.body)?[path: "error"]
        let info = error?[path: "details"]?.elements.first(where: { $0[path: "reason"]?.text != nil })
        reason = Self.text(info?[path: "reason"]?.text, upTo: 64) { byte in
            (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
        }
        requestID = Self.text(info?[path: "metadata.requestId"]?.text ?? response.requestID, upTo: 128) {
            (0x21...0x7E).contains($0)
        }
        guard info?[path: "domain"]?.text == "fleet-token" else { return }
        message = Self.text(error?[path: "message"]?.text, upTo: Self.maximumMessage) { (0x20...0x7E).contains($0) }
    }

    /// Returns a text if it has at most a number of bytes, all of a form.
    private static func text(_ text: String?, upTo limit: Int, _ isAllowed: (UInt8) -> Bool) -> String? {
        guard let text, (1...limit).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else { return nil }
        return text
    }
}
