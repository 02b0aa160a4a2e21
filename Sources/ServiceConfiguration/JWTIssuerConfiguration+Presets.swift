import JOSE
import StrictCoding

extension JWTIssuerConfiguration {
    /// Returns the configuration for the ID tokens of a Firebase project's users.
    ///
    /// Google signs those of all projects with the same keys, so the project is checked twice: in `iss` and in `aud`.
    ///
    /// - Parameter project: The project's ID, such as `my-project`.
    /// - Returns: The configuration.
    static func firebase(project: String) -> Self {
        Self(
            issuer: "https://securetoken.google.com/\(project)",
            audiences: [project],
            algorithms: [.rs256],
            keys: .url("https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"),
            types: ["jwt"]
        )
    }

    /// Returns the configuration for the ID tokens of a Google service account, which a backend on Google Cloud gets
    /// from the metadata server.
    ///
    /// - Parameters:
    ///   - email: The account's e-mail address; each account is a caller of its own.
    ///   - audience: The audience that the backend requests for the token, such as this service's URL.
    /// - Returns: The configuration.
    static func googleServiceAccount(email: String, audience: String) -> Self {
        Self(
            issuer: "https://accounts.google.com",
            audiences: [audience],
            algorithms: [.rs256],
            keys: .url("https://www.googleapis.com/oauth2/v3/certs"),
            requiredClaims: [
                ClaimCondition(path: ["email"], value: .string(email)),
                ClaimCondition(path: ["email_verified"], value: .bool(true)),
            ],
            types: ["jwt"]
        )
    }
}
