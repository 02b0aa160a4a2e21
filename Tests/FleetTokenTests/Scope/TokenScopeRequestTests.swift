import FleetToken
import TestTools
import Testing

struct TokenScopeRequestTests {
    private static let kinds = KindCase.all.filter { $0.tasks.isEmpty }

    @Test(arguments: kinds, [nil, "", "a", "*"])
    func `A kind for one resource requires its ID, and another has none`(row: KindCase, id: String?) throws {
        let kind = try row.scope().kind
        if row.privileged {
            guard let id else { return }
            let error = #expect(throws: TokenError.self) { try TokenScope(kind: kind, id: id) }
            #expect(error == .init(.unexpectedID, "A \(kind.rawValue) token grants access to everything. Omit the ID."))
        } else if id != "a" {
            let error = #expect(throws: TokenError.self) { try TokenScope(kind: kind, id: id, taskIDs: []) }
            #expect(error?.reason == (id == "*" ? .invalidID : .missingID))
            guard error?.reason == .missingID else { return }
            #expect(error?.message == "\(row.idField ?? "") is missing. A \(kind.rawValue) token requires one.")
        }
    }

    @Test(
        arguments: [
            (.consumer, "a", ["t"], .unexpectedID, "A consumer token has no task ID"),
            (.driver, "a", ["t"], .unexpectedID, "A driver token has no task ID"),
            (.deliveryDriver, "a", ["t"], .unexpectedID, "A delivery_driver token has no"),
            (.deliveryTask, "a", ["t"], .unexpectedID, "A delivery_task token has no"),
            (.deliveryConsumer, "a", ["t"], .unexpectedID, "A delivery_consumer token requires"),
            (.trustedDeliveryDriver, "a", ["t", "u"], .unexpectedID, "A trusted_delivery"),
            (.server, nil, ["t"], .unexpectedID, "A server token has no task ID"),
            (.fleetReader, nil, ["t"], .unexpectedID, "A fleet_reader token has no task ID"),
            (.deliveryServer, "a", ["t"], .unexpectedID, "A delivery_server token grants access"),
            (.deliveryServer, nil, ["a", "b", "a"], .invalidID, "taskIds has a duplicate."),
            (.deliveryServer, nil, ["a", "*"], .invalidID, "An ID is not valid. Use none of"),
            (.deliveryServer, nil, ["*"], .invalidID, "An ID is not valid. Use none of"),
            (.deliveryServer, nil, [""], .invalidID, "An ID is not valid. It is empty."),
            (.trustedDeliveryDriver, "a", ["*"], .invalidID, "An ID is not valid. Use"),
        ] as [(TokenKind, String?, [String], TokenError.Reason, String)]
    )
    func `A task that the kind does not take is refused`(
        kind: TokenKind,
        id: String?,
        tasks: [String],
        reason: TokenError.Reason,
        message: String
    ) throws {
        let error = try #require(throws: TokenError.self) {
            try TokenScope(kind: kind, id: id, taskIDs: tasks)
        }
        #expect(error.reason == reason)
        #expect(error.message.hasPrefix(message), "\(error.message)")
    }

    @Test
    func `A batch keeps the order of its tasks`() throws {
        let ids = (0..<50).map { "t-\($0)" }.reversed() as [String]
        #expect(try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ids).ids.map(\.rawValue) == ids)
    }

    @Test
    func `Scopes are equal only if kind and IDs are`() throws {
        let others = try Self.kinds.filter { !$0.privileged }.map { try TokenScope(kind: try $0.scope().kind, id: "x") }
        let scopes = try Samples.scopes() + others
        #expect(Set(scopes).count == scopes.count)
        #expect(try Samples.scopes() == Samples.scopes())
    }
}
