import FleetToken

/// A token's payload as text, to be changed member by member.
struct Payload {
    private var members = [
        ("iss", "\"\(Samples.issuer)\""),
        ("sub", "\"\(Samples.issuer)\""),
        ("aud", "\"https://fleetengine.googleapis.com/\""),
        ("iat", "1795211460"),
        ("exp", "1795215060"),
        ("authorization", #"{"tripid":"trip-1"}"#),
    ]

    /// A valid payload, with one member replaced by other JSON, or left out.
    init(_ changes: (name: String, json: String?)...) {
        for change in changes {
            guard let index = members.firstIndex(where: { $0.0 == change.name }) else { continue }
            if let json = change.json {
                members[index].1 = json
            } else {
                members.remove(at: index)
            }
        }
    }

    var text: String {
        "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    var reading: ClaimsReading { ClaimsReading(payload: text.utf8) }
}
