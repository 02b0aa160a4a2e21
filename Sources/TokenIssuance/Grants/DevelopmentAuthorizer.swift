package import FleetToken

/// Grants everything: for development, whose tokens Google rejects.
package final class DevelopmentAuthorizer: Authorizer {
    package init() {}

    package func authorize(_ caller: Caller, for scope: TokenScope, in call: IncomingCall) -> String { "development" }
}
