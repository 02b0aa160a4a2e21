import FleetToken
import TestTools

enum Samples {
    static let issuer = "signer@demo-fleet.iam.gserviceaccount.com"
    static let now = NumericDate(seconds: 1_795_211_520)

    /// One scope of every shape.
    static func scopes() throws -> [TokenScope] {
        try KindCase.all.map { try $0.scope() } + [
            .init(kind: .deliveryServer, id: nil, taskIDs: ["task-1"]),
            .init(kind: .consumer, id: "caf\u{E9}-\u{6F22}\u{5B57}"),
        ]
    }
}
