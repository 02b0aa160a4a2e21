import FleetToken
import TestTime
import TokenProviderTesting

@testable import TokenProvider

/// The source of apps' tests, under a shorter name.
typealias ScriptedSource = ScriptedTokenSource

extension ScriptedTokenSource {
    /// The scopes of all fetches so far.
    var scopes: [TokenScope] { contexts.map(\.scope) }
    var count: Int { contexts.count }
}

/// Something that holds tasks back until it is opened; cancelling doesn't help.
typealias Latch = Journal<Void>

extension Latch {
    func wait() async { await wait(for: 1) }
    func open() { append(()) }
}
