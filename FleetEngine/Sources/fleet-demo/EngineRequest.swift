import Foundation

/// A request to Fleet Engine's REST API that apps do not send: the backend's, and those that must be refused.
struct EngineRequest: Sendable {
    var method = "GET"
    /// The path below the provider.
    let path: [String]
    var query: [(name: String, value: String)] = []
    var body: String?
    let scope: DemoScope
}
