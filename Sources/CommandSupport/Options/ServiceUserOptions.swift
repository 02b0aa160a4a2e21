import ArgumentParser

/// As which user a deployment is looked at.
package struct ServiceUserOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "As root: look as this user, the service's. (default: the user whom the configuration's folder is for)",
            valueName: "user"
        )
    )
    var user: String?

    package init() {}

    /// Finds the user to look as.
    ///
    /// - Parameters:
    ///   - configuration: The configuration's path.
    ///   - isQuiet: Whether to keep silent about a user that was not named.
    /// - Returns: The user; nil for the one that runs this.
    /// - Throws: ``CommandError`` when there is no such user, or this one may not act as others.
    package func chosen(for configuration: String, isQuiet: Bool) throws(CommandError) -> ServiceUser? {
        guard let user else {
            guard ServiceUser.isRoot, let user = ServiceUser(deploymentOf: configuration) else { return nil }
            if !isQuiet {
                Console.note(
                    "Checking as \(user.name), whom the folder of \(configuration) is for; --as root checks as root."
                )
            }
            return user
        }
        let known = try ServiceUser(named: user)
        if known.isCurrent { return nil }
        guard ServiceUser.isRoot else {
            throw CommandError(
                .usage,
                "Only root may check as another user. Run: sudo -u \(user) …, or leave out --as."
            )
        }
        return known
    }
}
