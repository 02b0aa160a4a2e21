import StrictCoding

extension TokenRequestError {
    /// The `domain` of the errors' `google.rpc.ErrorInfo`.
    package static let domain = "fleet-token"

    /// Returns the body of a response with this error.
    ///
    /// - Parameter requestID: The request ID in the log and the audit trail.
    /// - Returns: JSON in ASCII or UTF-8 on one line.
    package func encoded(requestID: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("error")
            writer.object { writer in
                writer.member("code", reason.code)
                writer.member("status", reason.status)
                writer.member("message", message)
                writer.name("details")
                writer.array { writer in
                    writer.object { writer in
                        writer.member("@type", "type.googleapis.com/google.rpc.ErrorInfo")
                        writer.member("reason", reason.rawValue)
                        writer.member("domain", Self.domain)
                        writer.name("metadata")
                        writer.object { writer in
                            writer.member("requestId", requestID)
                        }
                    }
                }
            }
        }
        return writer.bytes
    }
}
