import FleetToken

@testable import TestSupport

/// One scope of every shape, with the claims that Google's documentation gives it.
enum KindSample: CaseIterable {
    case consumer, driver, deliveryDriver, trustedDriver, trustedDriverWithTask, deliveryConsumer, deliveryTask
    case server, fleetReader, deliveryServer, batch, largestBatch, punctuation, unicode

    var kind: TokenKind {
        switch self {
        case .consumer, .punctuation, .unicode: .consumer
        case .driver: .driver
        case .deliveryDriver: .deliveryDriver
        case .trustedDriver, .trustedDriverWithTask: .trustedDeliveryDriver
        case .deliveryConsumer: .deliveryConsumer
        case .deliveryTask: .deliveryTask
        case .server: .server
        case .fleetReader: .fleetReader
        case .deliveryServer, .batch, .largestBatch: .deliveryServer
        }
    }

    func scope() throws -> TokenScope {
        let id: String? =
            switch self {
            case .consumer: "trip-1"
            case .driver, .deliveryDriver, .trustedDriver, .trustedDriverWithTask: "vehicle-1"
            case .deliveryConsumer: "tracking-1"
            case .deliveryTask: "task-1"
            case .punctuation: Self.punctuationID
            case .unicode: Self.unicodeID
            case .server, .fleetReader, .deliveryServer, .batch, .largestBatch: nil
            }
        let tasks: [String] =
            switch self {
            case .trustedDriverWithTask: ["task-1"]
            case .batch: ["task-2", "task-1"]
            case .largestBatch: Self.largestBatchIDs
            default: []
            }
        return try TokenScope(kind: kind, id: id, taskIDs: tasks, alphabet: self == .unicode ? .unicode : .ascii)
    }

    var authorization: [String: VerifiedToken.Value] {
        switch self {
        case .consumer: ["tripid": .text("trip-1")]
        case .driver: ["vehicleid": .text("vehicle-1")]
        case .deliveryDriver, .trustedDriver: ["deliveryvehicleid": .text("vehicle-1")]
        case .trustedDriverWithTask: ["deliveryvehicleid": .text("vehicle-1"), "taskid": .text("task-1")]
        case .deliveryConsumer: ["trackingid": .text("tracking-1")]
        case .deliveryTask: ["taskid": .text("task-1")]
        case .server: ["tripid": .text("*"), "vehicleid": .text("*")]
        case .fleetReader, .deliveryServer:
            ["taskid": .text("*"), "trackingid": .text("*"), "deliveryvehicleid": .text("*")]
        case .batch: ["taskids": .list(["task-2", "task-1"])]
        case .largestBatch: ["taskids": .list(Self.largestBatchIDs)]
        case .punctuation: ["tripid": .text(Self.punctuationID)]
        case .unicode: ["tripid": .text(Self.unicodeID)]
        }
    }

    private static let punctuationID = "a.b_c~d-e@f=g+h$i!j(k)"
    private static let unicodeID = "déjà-Ω-日本-한글-\u{1D7D8}"
    private static let largestBatchIDs = (10..<60).map { "task-\($0)-" + String(repeating: "x", count: 56) }
}
