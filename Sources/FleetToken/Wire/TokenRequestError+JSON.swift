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
                writer.name("code")
                writer.integer(reason.code)
                writer.name("status")
                writer.string(reason.status)
                writer.name("message")
                writer.string(message)
                writer.name("details")
                writer.array { writer in
                    writer.object { writer in
                        writer.name("@type")
                        writer.string("type.googleapis.com/google.rpc.ErrorInfo")
                        writer.name("reason")
                        writer.string(reason.rawValue)
                        writer.name("domain")
                        writer.string(Self.domain)
                        writer.name("metadata")
                        writer.object { writer in
                            writer.name("requestId")
                            writer.string(requestID)
                        }
                    }
                }
            }
        }
        return writer.bytes
    }
}
