import Combine
import FirebaseAuth
import Foundation
import Network
import TokenProvider

/// The user who is signed in, with the tokens of that user, and what the user should know about them.
@MainActor
final class Session: ObservableObject {
    @Published private(set) var isSignedIn = Auth.auth().currentUser != nil
    @Published private(set) var problem: String?
    private(set) lazy var tokens = FleetTokenProvider(
        server,
        onFetch: { [weak self] _, error in Task { @MainActor [weak self] in self?.show(error) } }
    ) { try await firebaseCredentials(for: $0) }
    private let server: TokenServer
    private let monitor = NWPathMonitor()

    init(_ server: TokenServer = TokenServer(URL(string: "https://tokens.example.com")!)) {
        self.server = server
        monitor.pathUpdateHandler = { [tokens] in if $0.status == .satisfied { tokens.retryNow() } }
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

    /// Shows how a fetch has ended: an error, or nil for a token.
    private func show(_ error: TokenProviderError?) {
        guard isSignedIn else { return }
        guard let error else { return problem = nil }
        switch error.remedy {
        case .wait: problem = "Reconnecting"
        // The fetch ended before the user signed in: ignore its error.
        case .signIn where error.httpStatus == nil && Auth.auth().currentUser != nil: break
        case .signIn: (isSignedIn, problem) = (false, "Sign in again")
        case .developer: problem = "Something went wrong. Tell us this code: \(error.requestID ?? "\(error.errorCode)")"
        }
    }
}
