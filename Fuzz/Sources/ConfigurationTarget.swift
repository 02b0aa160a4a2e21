import FleetToken
import ServiceSupport
import TokenIssuance

@testable import TokenService

/// Either there is a configuration, or there are problems that say why not.
@Sendable func fuzzConfiguration(_ bytes: [UInt8]) {
    let file = ConfigurationFile(yaml: bytes)
    precondition((file.configuration != nil) == file.problems.isEmpty)
    for problem in file.problems { precondition(!problem.description.isEmpty && problem.line ?? 1 >= 1) }
    guard let configuration = file.configuration else { return }
    precondition(!configuration.callers.isEmpty && !configuration.grants.isEmpty && !configuration.kinds.isEmpty)
    precondition(configuration.listen.isLoopback || configuration.tls != nil || configuration.isBehindTLSProxy)
    for grant in configuration.grants where grant.kinds.contains(where: \.isPrivileged) {
        for name in grant.callers {
            precondition(configuration.callers.contains { $0.name == name && $0.isAdmin })
        }
    }
}
