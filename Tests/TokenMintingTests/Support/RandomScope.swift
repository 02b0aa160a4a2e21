import FleetToken
import TestRandomness

@testable import TestSupport

/// A scope drawn at random, and the claims that it must lead to.
struct RandomScope {
    let scope: TokenScope
    let authorization: [String: VerifiedToken.Value]

    init(using generator: inout SeededGenerator) throws {
        let kind = TokenKind.allCases.randomElement(using: &generator) ?? .consumer
        let id = Self.id(using: &generator)
        var tasks: [String] = []
        switch kind {
        case .trustedDeliveryDriver where Bool.random(using: &generator): tasks = [Self.id(using: &generator)]
        case .deliveryServer where Bool.random(using: &generator):
            // The number in front keeps them apart.
            let count = Int.random(in: 1...50, using: &generator)
            tasks = (0..<count).map { "\($0)-" + Self.id(upTo: 20, using: &generator) }
        default: break
        }
        scope = try TokenScope(kind: kind, id: kind.idField == nil ? nil : id, taskIDs: tasks, alphabet: .unicode)
        authorization =
            switch kind {
            case .consumer: ["tripid": .text(id)]
            case .driver: ["vehicleid": .text(id)]
            case .deliveryDriver: ["deliveryvehicleid": .text(id)]
            case .trustedDeliveryDriver:
                ["deliveryvehicleid": .text(id)].merging(tasks.map { ("taskid", .text($0)) }) { $1 }
            case .deliveryConsumer: ["trackingid": .text(id)]
            case .deliveryTask: ["taskid": .text(id)]
            case .server: ["tripid": .text("*"), "vehicleid": .text("*")]
            case .deliveryServer where !tasks.isEmpty: ["taskids": .list(tasks)]
            case .fleetReader, .deliveryServer:
                ["taskid": .text("*"), "trackingid": .text("*"), "deliveryvehicleid": .text("*")]
            }
    }

    private static let letters = Array("abcXYZ019._~-@=+$!()éüñßŁЖдяΩλ中文字한글あア०१𝟘".unicodeScalars)

    private static func id(upTo length: Int = 64, using generator: inout SeededGenerator) -> String {
        var id = "x"
        for _ in 1..<Int.random(in: 1...length, using: &generator) {
            if let letter = letters.randomElement(using: &generator) { id.unicodeScalars.append(letter) }
        }
        return id
    }
}
