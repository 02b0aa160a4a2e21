import ArgumentParser
package import FleetToken

/// The options for a token's resources.
package struct ResourceOptions: ParsableArguments {
    @Option(help: "The ID of the trip, vehicle, delivery vehicle or task, or the tracking ID. (default: none)")
    var id: String?

    @Option(
        name: .customLong("task-id"),
        help: ArgumentHelp(
            "A task ID for trusted_delivery_driver, or for a delivery_server batch; repeatable.",
            valueName: "id"
        )
    )
    var taskIDs: [String] = []

    package init() {}

    /// Whether any is named.
    package var isEmpty: Bool { id == nil && taskIDs.isEmpty }

    /// Returns the scope of a kind with these resources.
    ///
    /// - Throws: ``CommandError`` with the status ``ExitStatus/usage``.
    package func scope(of kind: TokenKind) throws(CommandError) -> TokenScope {
        do {
            return try TokenScope(kind: kind, id: id, taskIDs: taskIDs)
        } catch {
            throw CommandError(.usage, error.message + (error.reason == .missingID ? " Use --id." : ""))
        }
    }
}
