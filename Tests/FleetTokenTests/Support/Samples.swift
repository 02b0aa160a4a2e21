import FleetToken

/// One scope of every shape, with what Fleet Engine calls it.
enum Samples {
    static let issuer = "signer@demo-fleet.iam.gserviceaccount.com"
    static let now = NumericDate(seconds: 1_795_211_520)

    static func scopes() throws -> [TokenScope] {
        try [
            .init(kind: .consumer, id: "trip-1"),
            .init(kind: .driver, id: "vehicle-1"),
            .init(kind: .deliveryDriver, id: "van-1"),
            .init(kind: .trustedDeliveryDriver, id: "van-1"),
            .init(kind: .trustedDeliveryDriver, id: "van-1", taskIDs: ["task-1"]),
            .init(kind: .deliveryConsumer, id: "parcel-1"),
            .init(kind: .deliveryTask, id: "task-1"),
            .init(kind: .server, id: nil),
            .init(kind: .fleetReader, id: nil),
            .init(kind: .deliveryServer, id: nil),
            .init(kind: .deliveryServer, id: nil, taskIDs: ["task-1"]),
            .init(kind: .deliveryServer, id: nil, taskIDs: ["b", "a"]),
            .init(kind: .consumer, id: "caf\u{E9}-\u{6F22}\u{5B57}", alphabet: .unicode),
        ]
    }
}
