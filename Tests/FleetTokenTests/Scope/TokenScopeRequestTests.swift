import FleetToken
import Testing

@Suite struct TokenScopeRequestTests {
    struct Row: Sendable {
        let kind: TokenKind
        var id: String?
        var tasks: [String] = []
        let reason: TokenError.Reason
        let message: String
    }

    private static let oneResource = TokenKind.allCases.filter { $0.idField != nil }
    private static let everything = TokenKind.allCases.filter { $0.idField == nil }

    @Test(arguments: try Samples.scopes())
    func knowsItsKindAndItsIDs(scope: TokenScope) throws {
        let ids = scope.ids.map(\.rawValue)
        let isBatch = scope.kind == .deliveryServer
        let again = try TokenScope(
            kind: scope.kind,
            id: isBatch ? nil : ids.first,
            taskIDs: isBatch ? ids : Array(ids.dropFirst()),
            alphabet: .unicode
        )
        #expect(again == scope)
    }

    @Test(arguments: oneResource, [nil, ""])
    func needsItsResource(kind: TokenKind, id: String?) throws {
        let error = try #require(throws: TokenError.self) { try TokenScope(kind: kind, id: id, taskIDs: ["t"]) }
        #expect(error.reason == .missingID)
        #expect(error.message == "\(kind.idField ?? "") is missing. A \(kind.rawValue) token requires one.")
    }

    @Test(arguments: everything, ["", "a", "*"])
    func takesNoResourceWhereItOpensEverything(kind: TokenKind, id: String) throws {
        let error = try #require(throws: TokenError.self) { try TokenScope(kind: kind, id: id) }
        #expect(
            error == TokenError(.unexpectedID, "A \(kind.rawValue) token grants access to everything. Omit the ID.")
        )
    }

    @Test(arguments: [
        Row(
            kind: .consumer,
            id: "a",
            tasks: ["t"],
            reason: .unexpectedID,
            message: "A consumer token has no task ID"
        ),
        Row(kind: .driver, id: "a", tasks: ["t"], reason: .unexpectedID, message: "A driver token has no task ID"),
        Row(
            kind: .deliveryDriver,
            id: "a",
            tasks: ["t"],
            reason: .unexpectedID,
            message: "A delivery_driver token has no"
        ),
        Row(
            kind: .deliveryTask,
            id: "a",
            tasks: ["t"],
            reason: .unexpectedID,
            message: "A delivery_task token has no"
        ),
        Row(
            kind: .deliveryConsumer,
            id: "a",
            tasks: ["t"],
            reason: .unexpectedID,
            message: "A delivery_consumer token requires"
        ),
        Row(
            kind: .trustedDeliveryDriver,
            id: "a",
            tasks: ["t", "u"],
            reason: .unexpectedID,
            message: "A trusted_delivery"
        ),
        Row(kind: .server, tasks: ["t"], reason: .unexpectedID, message: "A server token has no task ID"),
        Row(kind: .fleetReader, tasks: ["t"], reason: .unexpectedID, message: "A fleet_reader token has no task ID"),
        Row(
            kind: .deliveryServer,
            id: "a",
            tasks: ["t"],
            reason: .unexpectedID,
            message: "A delivery_server token grants access"
        ),
        Row(kind: .deliveryServer, tasks: ["a", "a"], reason: .invalidID, message: "taskIds has a duplicate."),
        Row(kind: .deliveryServer, tasks: ["a", "*"], reason: .invalidID, message: "An ID is not valid. Use ASCII"),
        Row(kind: .deliveryServer, tasks: ["*"], reason: .invalidID, message: "An ID is not valid. Use ASCII"),
        Row(kind: .deliveryServer, tasks: [""], reason: .invalidID, message: "An ID is not valid. It is empty."),
        Row(
            kind: .trustedDeliveryDriver,
            id: "a",
            tasks: ["*"],
            reason: .invalidID,
            message: "An ID is not valid. Use"
        ),
        Row(kind: .consumer, id: "*", reason: .invalidID, message: "An ID is not valid. Use ASCII"),
    ])
    func refusesIDsThatTheKindDoesNotTake(row: Row) throws {
        let error = try #require(throws: TokenError.self) {
            try TokenScope(kind: row.kind, id: row.id, taskIDs: row.tasks, alphabet: .ascii)
        }
        #expect(error.reason == row.reason)
        #expect(error.message.hasPrefix(row.message), "\(error.message)")
    }

    @Test func takesOtherScriptsOnlyWhenTold() throws {
        #expect(throws: TokenError.self) { try TokenScope(kind: .consumer, id: "caf\u{E9}", alphabet: .ascii) }
        _ = try TokenScope(kind: .consumer, id: "caf\u{E9}", alphabet: .unicode)
        #expect(throws: TokenError.self) {
            try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["caf\u{E9}"], alphabet: .ascii)
        }
        _ = try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["caf\u{E9}"], alphabet: .unicode)
    }

    @Test func aMillionTasksAreRefusedAfterAFew() throws {
        let tasks = Array(repeating: "task", count: 1_000_000)
        let error = try #require(throws: TokenError.self) {
            try TokenScope(kind: .deliveryServer, id: nil, taskIDs: tasks)
        }
        #expect(error.message.contains("Too many task IDs: at most 50,"))
    }

    @Test func scopesAreKeysThatNeverCollide() throws {
        let scopes =
            try Samples.scopes() + TokenKind.allCases.filter { $0.idField != nil }.map { try .init(kind: $0, id: "x") }
        #expect(Set(scopes).count == scopes.count)
    }
}
