import FleetToken
import JOSE
import ServiceSupport
package import StrictCoding

extension TokenInspection {
    /// The report for people: lines of text that are harmless on a terminal for every token.
    package var text: String {
        var lines = [
            "Not verified: the token may be forged. Verify its signature with tokenctl verify.",
            "",
            "Header",
            "  \(header.pretty(level: 1))",
            "",
            "Claims",
            "  \(claims?.pretty(level: 1) ?? "Unreadable.")",
            "",
        ]
        if !reading.kinds.isEmpty {
            lines.append("Kind      \(reading.kinds.map(\.rawValue).joined(separator: " or "))")
        }
        lines.append("Access    \(reading.scopeInWords)")
        if let issuedAt = reading.issuedAt {
            lines.append("Issued    \(issuedAt.distance(from: now)) (\(issuedAt.utc))")
        }
        if let expiresAt = reading.expiresAt {
            lines.append(
                "\(expiresAt > now ? "Expires  " : "Expired  ") \(expiresAt.distance(from: now)) (\(expiresAt.utc))"
            )
        }
        if !warnings.isEmpty {
            lines += ["", "Warnings"] + warnings.map { "  - \($0.text)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The report for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        .object(
            JSONObject([
                .init("schema", .integer(1)),
                .init("verified", .bool(false)),
                .init("header", header),
                .init("claims", claims ?? .null),
                .init("kinds", .array(reading.kinds.map { .string($0.rawValue) })),
                .init("issuedAt", reading.issuedAt.map { .string($0.rfc3339) } ?? .null),
                .init("expiresAt", reading.expiresAt.map { .string($0.rfc3339) } ?? .null),
                .init("expiresInSeconds", reading.expiresAt.map { .integer($0 - now) } ?? .null),
                .init("warnings", .array(warnings.map(\.json))),
            ])
        )
    }

    private var header: JSONValue {
        // It was parsed when the token was, so it parses again.
        (try? JSONParser.parse(jws.headerJSON)) ?? .null
    }

    private var claims: JSONValue? {
        (try? JSONParser.parseObject(jws.payload)).map { .object($0) }
    }
}

extension TokenInspection.Warning {
    fileprivate var json: JSONValue {
        .object(JSONObject([.init("code", .string(code.name)), .init("message", .string(text))]))
    }
}

extension JSONObject {
    /// Creates an object of members with distinct names.
    fileprivate init(_ members: [Member]) {
        self.init()
        for member in members { _ = append(member) }
    }
}
