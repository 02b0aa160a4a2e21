import FirebaseAuth
import Foundation
import Testing
import TokenProvider

@testable import RiderApp

/// The model of the rider's app, with a stand-in for Firebase and a token server that refuses connections.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SessionTests {
    private let session: Session

    init() throws {
        try Auth.auth().signOut()
        session = Session(TokenServer(try #require(URL(string: "http://127.0.0.1:1"))))
    }

    /// Waits until the session has shown the end of the last fetch.
    private func problem(_ expected: String) async {
        while session.problem != expected, !Task.isCancelled { await Task.yield() }
    }

    /// Keeps the main actor busy until an operation has ended.
    private func block(_ operation: @escaping @Sendable () async throws -> Void) {
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            try? await operation()
            ended.signal()
        }
        ended.wait()
    }

    @Test func `A fetch that ended before the sign-in does not sign the user out`() async throws {
        await session.signIn(email: "rider@example.com", password: "password")
        try Auth.auth().signOut()
        block { [tokens = session.tokens] in _ = try await tokens.token(for: .trip("trip-1")) }
        block { try await Auth.auth().signIn(withEmail: "rider@example.com", password: "password") }
        await #expect(throws: TokenProviderError.self) { try await session.tokens.token(for: .trip("trip-1")) }
        await problem("Reconnecting")
        #expect(session.isSignedIn)
    }

    @Test func `A fetch that ended before the sign-out shows the next user no problem`() async throws {
        await session.signIn(email: "rider@example.com", password: "password")
        block { [tokens = session.tokens] in _ = try await tokens.token(for: .trip("trip-1")) }
        session.signOut()
        // After the end of the fetch, which waits for the main actor.
        await Task(priority: .low) {}.value
        #expect(session.problem == nil)
    }

    @Test func `The app asks for a sign-in when Firebase has signed the user out`() async throws {
        await session.signIn(email: "rider@example.com", password: "password")
        try Auth.auth().signOut()
        await #expect(throws: TokenProviderError.self) { try await session.tokens.token(for: .trip("trip-1")) }
        await problem("Sign in again")
        #expect(!session.isSignedIn)
    }
}
