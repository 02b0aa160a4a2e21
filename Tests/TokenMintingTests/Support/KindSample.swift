import FleetToken
import TestTools
import Testing

@testable import TestSupport

/// A request with the claims that Google's documentation gives it: each row of the table of kinds, and IDs that are special.
struct KindSample: Equatable, Sendable, CustomTestStringConvertible {
    let name: String
    let authorization: [String: VerifiedToken.Value]
    private let kindName: String
    private let id: String?
    private let tasks: [String]

    func scope() throws -> TokenScope {
        try TokenScope(kind: try #require(TokenKind(rawValue: kindName)), id: id, taskIDs: tasks)
    }

    var kind: TokenKind? { TokenKind(rawValue: kindName) }
    var testDescription: String { name }

    private init(_ row: KindCase) {
        name = row.testDescription
        authorization = row.claims
        kindName = row.kind
        id = row.id
        tasks = row.tasks
    }

    private init(trip id: String) {
        name = id
        authorization = ["tripid": .text(id)]
        kindName = "consumer"
        self.id = id
        tasks = []
    }

    private init(tasks: [String]) {
        name = "\(tasks.count) tasks"
        authorization = ["taskids": .list(tasks)]
        kindName = "delivery_server"
        id = nil
        self.tasks = tasks
    }

    private static func row(_ claims: [String: VerifiedToken.Value]) -> Self {
        // A row that is missing fails the tests of all that use it.
        KindCase.all.first { $0.claims == claims }.map { Self($0) } ?? Self(tasks: [])
    }

    static let consumer = row(["tripid": .text("trip-1")])
    static let driver = row(["vehicleid": .text("vehicle-1")])
    static let deliveryDriver = row(["deliveryvehicleid": .text("vehicle-1")])
    static let trustedDriver =
        KindCase.all.last { $0.claims == deliveryDriver.authorization }.map { Self($0) } ?? driver
    static let trustedDriverWithTask = row(["deliveryvehicleid": .text("vehicle-1"), "taskid": .text("task-1")])
    static let deliveryConsumer = row(["trackingid": .text("tracking-1")])
    static let deliveryTask = row(["taskid": .text("task-1")])
    static let server = row(["tripid": .text("*"), "vehicleid": .text("*")])
    static let fleetReader = row(["taskid": .text("*"), "trackingid": .text("*"), "deliveryvehicleid": .text("*")])
    static let batch = row(["taskids": .list(["task-2", "task-1"])])
    static let largestBatch = Self(tasks: (10..<60).map { "task-\($0)-" + String(repeating: "x", count: 56) })

    static let allCases =
        KindCase.all.map { Self($0) }
        + [largestBatch, Self(trip: "a.b_c~d-e@f=g+h$i!j(k)"), Self(trip: "déjà-Ω-日本-한글-\u{1D7D8}")]
}
