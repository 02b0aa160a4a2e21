import ArgumentParser

/// The user as whom a deployment is checked.
package struct ServiceUserOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Run the checks as this user (requires root). (default: the service's user, by the configuration's folder)",
            valueName: "user"
        )
    )
    var user: String?

    package init() {}

    /// Finds the user to look as.
    ///
    /// - Returns: The user; nil for the one that runs this.
    package func chosen(for configuration: String, isQuiet: Bool) throws(CommandError) -> ServiceUser? {
        guard let user else {
            guard ServiceUser.isRoot, let user = ServiceUser(deploymentOf: configuration) else { return nil }
            if !isQuiet {
                Console.note(
                    "Checking as \(user.name), the user of the folder of \(configuration). Use --as root to check as root."
                )
            }
            return user
        }
        let known = try ServiceUser(named: user)
        if known.isCurrent { return nil }
        guard ServiceUser.isRoot else {
            throw CommandError(
                .usage,
                "Only root may check as another user. Run: sudo -u \(user) …, or omit --as."
            )
        }
        return known
    }
}
