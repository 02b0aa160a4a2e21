import FleetToken
import Testing

@Suite struct TokenKindTests {
    struct Row: Sendable {
        let kind: TokenKind
        let name: String
        let field: String?
        let role: String
        var isPrivileged: Bool { field == nil }
    }

    static let rows = [
        Row(kind: .consumer, name: "consumer", field: "tripId", role: "consumerSdkUser"),
        Row(kind: .driver, name: "driver", field: "vehicleId", role: "driverSdkUser"),
        Row(
            kind: .deliveryDriver,
            name: "delivery_driver",
            field: "deliveryVehicleId",
            role: "deliveryUntrustedDriver"
        ),
        Row(
            kind: .trustedDeliveryDriver,
            name: "trusted_delivery_driver",
            field: "deliveryVehicleId",
            role: "deliveryTrustedDriver"
        ),
        Row(kind: .deliveryConsumer, name: "delivery_consumer", field: "trackingId", role: "deliveryConsumer"),
        Row(kind: .deliveryTask, name: "delivery_task", field: "taskId", role: "deliveryConsumer"),
        Row(kind: .server, name: "server", field: nil, role: "ondemandAdmin"),
        Row(kind: .fleetReader, name: "fleet_reader", field: nil, role: "deliveryFleetReader"),
        Row(kind: .deliveryServer, name: "delivery_server", field: nil, role: "deliveryAdmin"),
    ]

    @Test(arguments: rows)
    func isWhatFleetEngineSays(row: Row) {
        #expect(row.kind.rawValue == row.name)
        #expect(row.kind.idField == row.field)
        #expect(row.kind.role == "roles/fleetengine.\(row.role)")
        #expect(row.kind.isPrivileged == row.isPrivileged)
    }

    @Test func rowsAreAllThereIs() {
        #expect(Self.rows.map(\.kind) == TokenKind.allCases)
        #expect(TokenKind.names == Self.rows.map(\.name).joined(separator: ", "))
    }

    @Test(arguments: rows)
    func readsItsNameInAnyCase(row: Row) {
        #expect(TokenKind(name: row.name) == row.kind)
        #expect(TokenKind(name: row.name.uppercased()) == row.kind)
        #expect(TokenKind(name: row.name.prefix(1).uppercased() + row.name.dropFirst()) == row.kind)
        #expect(TokenKind(name: "/\(row.name)/".dropFirst().dropLast()) == row.kind)
    }

    @Test(arguments: [
        "", " ", "driver ", " driver", "driver\n", "driver\u{0}", "driver/", "delivery-driver", "deliverydriver",
        "drivers",
        "DRİVER", "dr\u{131}ver", "\u{17F}erver", "drive\u{301}r", "driver\u{301}", "ｄｒｉｖｅｒ", "delivery\u{FF3F}driver",
        "*",
        "server,driver", "delivery_batch", "FLEET_READEŘ", "fleet\u{1F}reader", "fleet\u{7F}reader",
    ])
    func readsNothingElse(name: String) {
        #expect(TokenKind(name: name) == nil)
    }
}
