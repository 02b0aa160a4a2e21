import FirebaseAuth
import Foundation
import Network
import Observation
import TokenProvider

/// The user who is signed in, with the tokens of that user, and what the user should know about them.
@MainActor
@Observable
final class Session {
    let tokens: FleetTokenProvider
    private(set) var isSignedIn = Auth.auth().currentUser != nil
    private(set) var problem: String?
    private let events: AsyncStream<TokenEvent>
    private let monitor = NWPathMonitor()

    init() {
        let (events, continuation) = AsyncStream.makeStream(of: TokenEvent.self)
        let tokens = FleetTokenProvider(
            TokenServer(URL(string: "https://tokens.example.com")!),
            onEvent: { continuation.yield($0) }
        ) { try await firebaseCredentials(for: $0) }
        (self.events, self.tokens) = (events, tokens)
        monitor.pathUpdateHandler = { if $0.status == .satisfied { tokens.retryNow() } }
        monitor.start(queue: .main)
    }

    func signIn(email: String, password: String) async {
        do {
            try await Auth.auth().signIn(withEmail: email, password: password)
            tokens.credentialsDidChange()
            (isSignedIn, problem) = (true, nil)
        } catch {
            problem = error.localizedDescription
        }
    }

    func signOut() {
        try? Auth.auth().signOut()
        tokens.removeAll()
        (isSignedIn, problem) = (false, nil)
    }

    /// Shows what the tokens' events mean for the user, for as long as the task runs.
    func watchTokens() async {
        for await event in events {
            switch event {
            case .fetched: problem = nil
            case .failed(_, let error): show(error)
            }
        }
    }

    private func show(_ error: TokenProviderError) {
        switch error.remedy {
        case .wait: problem = "Reconnecting"
        case .signIn: (isSignedIn, problem) = (false, "Sign in again")
        case .developer: problem = "Something went wrong. Tell us this code: \(error.requestID ?? "\(error.code)")"
        }
    }
}
