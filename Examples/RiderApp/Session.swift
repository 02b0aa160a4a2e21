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
        onEvent: { [weak self] event in Task { @MainActor [weak self] in self?.show(event) } }
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

    private func show(_ event: TokenEvent) {
        guard isSignedIn else { return }
        guard case .failed(_, let error) = event else { return problem = nil }
        switch error.remedy {
        case .wait: problem = "Reconnecting"
        // The event was queued before a user signed in: ignore it.
        case .signIn where error.httpStatus == nil && Auth.auth().currentUser != nil: break
        case .signIn: (isSignedIn, problem) = (false, "Sign in again")
        case .developer: problem = "Something went wrong. Tell us this code: \(error.requestID ?? "\(error.code)")"
        }
    }
}
