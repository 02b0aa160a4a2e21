import Foundation
import Synchronization
import TokenProvider

/// Where the tokens come from while an app is developed, and when it is used.
nonisolated enum Backend: Sendable {
    case development, production

    var server: URL {
        switch self {
        case .development: URL(string: "http://192.168.0.10:8080")!
        case .production: URL(string: "https://tokens.example.com")!
        }
    }

    var configuration: CachingTokenProvider.Configuration {
        var configuration = CachingTokenProvider.Configuration()
        configuration.http.allowsInsecureHTTP = self == .development
        return configuration
    }
}

/// The user who is signed in, with tokens of its own; Google's SDKs keep one authorization for all users.
nonisolated final class Accounts: Sendable {
    static let shared = Accounts()

    private let current = Mutex<CachingTokenProvider?>(nil)

    private init() {}

    var tokens: CachingTokenProvider? { current.withLock { $0 } }

    /// Give it to the SDK's adapter once, when the app starts.
    let authorization = SDKAuthorization { Accounts.shared.tokens }

    func signIn(to backend: Backend, accessToken: @escaping @Sendable (_ isRenewed: Bool) async throws -> String) {
        let tokens = CachingTokenProvider(server: backend.server, configuration: backend.configuration) { context in
            ["Authorization": "Bearer \(try await accessToken(context.requiresNewCredentials))"]
        }
        replace(with: tokens)
    }

    func signOut() {
        replace(with: nil)
    }

    private func replace(with tokens: CachingTokenProvider?) {
        let previous = current.withLock { current in
            defer { current = tokens }
            return current
        }
        previous?.removeAll()
    }
}
