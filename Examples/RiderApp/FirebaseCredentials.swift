import FirebaseAuth
import Foundation
import TokenProvider

/// Returns the header fields that tell the token server who the user is.
nonisolated func firebaseCredentials(for request: TokenRequest) async throws -> [String: String] {
    guard let user = Auth.auth().currentUser else { throw TokenProviderError(.unauthenticated, "Sign in.") }
    do {
        return ["Authorization": "Bearer \(try await user.getIDToken(forcingRefresh: request.credentialsWereRejected))"]
    } catch let error as NSError where error.domain == AuthErrorDomain {
        switch AuthErrorCode(rawValue: error.code) {
        case .userDisabled, .userNotFound, .userTokenExpired, .invalidUserToken:
            throw TokenProviderError(.unauthenticated, "Sign in again.")
        case .networkError: throw TokenProviderError(.offline, "Firebase cannot be reached.")
        default: throw error
        }
    }
}
