#if Emulator
import HTTPTypes
import StrictCoding

extension EngineError {
    /// The domain in error details: not Google's, so that no one takes the emulator for it.
    static let domain = "fleet-engine-emulator"

    /// The error as `google.rpc.Status` in JSON.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("error")
            writer.object { writer in
                writer.name("code")
                writer.integer(code.http)
                writer.name("message")
                writer.string(message)
                writer.name("status")
                writer.string(code.name)
                writer.name("details")
                writer.array(writeDetails)
            }
        }
        return writer.bytes
    }

    private func writeDetails(to writer: inout JSONWriter) {
        detail("ErrorInfo", to: &writer) { writer in
            writer.name("reason")
            writer.string(rule.reason)
            writer.name("domain")
            writer.string(Self.domain)
        }
        if !violations.isEmpty {
            detail("BadRequest", to: &writer) { writer in
                writer.name("fieldViolations")
                writer.array { writer in
                    for violation in violations {
                        writer.object { writer in
                            writer.name("field")
                            writer.string(violation.field)
                            writer.name("description")
                            writer.string(violation.description)
                        }
                    }
                }
            }
        }
        if let retryAfter {
            detail("RetryInfo", to: &writer) { writer in
                writer.name("retryDelay")
                writer.string("\(retryAfter)s")
            }
        }
    }

    private func detail(_ name: String, to writer: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        writer.object { writer in
            writer.name("@type")
            writer.string("type.googleapis.com/google.rpc.\(name)")
            body(&writer)
        }
    }

    /// The header fields that the error needs.
    var headers: HTTPFields {
        var headers: HTTPFields = [:]
        if code == .unauthenticated {
            headers[.wwwAuthenticate] = #"Bearer realm="https://accounts.google.com/", error="invalid_token""#
        }
        if let retryAfter { headers[.retryAfter] = String(Int(retryAfter.rounded(.up))) }
        return headers
    }
}

extension Rule {
    /// The name in error details: `TOKEN_MISSING`.
    var reason: String {
        String(
            decoding: rawValue.utf8.flatMap { byte -> [UInt8] in
                (0x41...0x5A).contains(byte) ? [UInt8(ascii: "_"), byte] : [byte & 0xDF]
            },
            as: UTF8.self
        )
    }
}
#endif
