import FleetToken
import ServiceSupport
package import StrictCoding

extension TokenVerification {
    /// The verdict for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        JSONValue(members: [
            ("schema", .integer(1)), ("ok", .bool(failures.isEmpty)), ("access", access.map { .string($0) } ?? .null),
            ("expiresAt", expiry.map { .string($0.rfc3339) } ?? .null),
            (
                "problems",
                .array(
                    failures.map { failure in
                        JSONValue(members: [
                            ("check", .string("\(failure.stage)")), ("message", .string(failure.description)),
                        ])
                    }
                )
            ),
        ])
    }
}
