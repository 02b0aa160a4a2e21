import HTTPTypes

extension EngineError {
    /// The domain in error details: not Google's, so that no one takes the emulator for it.
    static let domain = "fleet-engine-emulator"

    /// The error as `google.rpc.Status` in JSON.
    var json: JSON {
        var details = [detail("ErrorInfo", ["reason": .string(rule.reason), "domain": .string(Self.domain)])]
        if !violations.isEmpty {
            let fields = violations.map { violation -> JSON in
                ["field": .string(violation.field), "description": .string(violation.description)]
            }
            details.append(detail("BadRequest", ["fieldViolations": .array(fields)]))
        }
        if let retryAfter { details.append(detail("RetryInfo", ["retryDelay": .string("\(retryAfter)s")])) }
        return [
            "error": [
                "code": .integer(code.http), "message": .string(message), "status": .string(code.name),
                "details": .array(details),
            ]
        ]
    }

    private func detail(_ name: String, _ fields: JSON) -> JSON {
        .object(
            [.init(name: "@type", value: .string("type.googleapis.com/google.rpc.\(name)"))] + (fields.members ?? [])
        )
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
    var reason: String { rawValue.capitals }
}

extension String {
    /// A name in camel case, in capitals with underscores.
    var capitals: String {
        let bytes = utf8.flatMap { byte -> [UInt8] in
            (0x41...0x5A).contains(byte) ? [UInt8(ascii: "_"), byte] : [byte & 0xDF]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
