import ArgumentParser
import FleetToken

/// The options that name what a token opens.
struct ResourceOptions: ParsableArguments {
    @Option(help: "The trip, vehicle, delivery vehicle, task or tracking ID that the kind opens.")
    var id: String?

    @Option(
        name: .customLong("task-id"),
        help: ArgumentHelp(
            "A task: the one of a trusted_delivery_driver, or one of a delivery_server's batch; repeat for more.",
            valueName: "id"
        )
    )
    var taskIDs: [String] = []

    /// Whether any is named.
    var isEmpty: Bool { id == nil && taskIDs.isEmpty }

    /// The scope of a kind with these resources.
    func scope(of kind: TokenKind, alphabet: ResourceID.Alphabet) throws(TokenError) -> TokenScope {
        do {
            return try TokenScope(kind: kind, id: id, taskIDs: taskIDs, alphabet: alphabet)
        } catch let error where error.reason == .missingID {
            throw TokenError(.missingID, "\(error.message) Give it with --id.")
        }
    }
}
