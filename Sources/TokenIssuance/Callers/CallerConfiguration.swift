import FleetToken
package import ServiceSupport
import TokenMinting

/// One kind of caller, under a name that grants, logs and metrics use.
package struct CallerConfiguration: Sendable {
    /// The authentication method, with its settings.
    package enum Method: Sendable {
        case jwt(JWTIssuerConfiguration)
        /// With an API key of a file that ``APIKeyFile`` reads.
        case apiKeys(file: String)
    }

    package var name: String
    package var method: Method
    /// Which limit of requests each of its subjects has.
    package var rateLimit: Caller.RateLimit
    /// Whether the caller may have the privileged kinds.
    package var isAdmin = false

    /// Whether its credentials have claims.
    package var hasClaims: Bool { if case .jwt = method { true } else { false } }

    /// The files that are read for it.
    package var files: [String] {
        switch method {
        case .jwt(let issuer):
            if case .file(let path) = issuer.keys { [path] } else { [issuer.authorities].compactMap(\.self) }
        case .apiKeys(let path): [path]
        }
    }
}

// MARK: - Reading

extension CallerConfiguration {
    /// Creates the configuration by reading a caller's settings.
    package init?(name: String, _ section: ConfigurationSection) {
        let source = section.oneOf(["firebase", "jwt", "googleServiceAccount", "apiKeys"])
        let admin = section["admin"]
        let isAdmin = admin?.bool() ?? false
        guard let source, let (method, limit) = source.value.section({ Self.method(source.name, $0) }) else {
            return nil
        }
        if isAdmin, source.name == "firebase" {
            admin?.report(
                "is not for firebase, where anyone can sign in. Tokens with access to everything are for backends."
            )
        }
        self.init(name: name, method: method, rateLimit: limit, isAdmin: isAdmin)
    }

    private static func method(_ name: String, _ section: ConfigurationSection) -> (Method, Caller.RateLimit)? {
        switch name {
        case "firebase":
            guard let value = section.required("project"), let project = value.text() else { return nil }
            // The project's ID is part of the tokens' `iss`: its URL, name or number would match none.
            guard GoogleProject.isID(project) else {
                value.report("must be the ID of a Firebase project, such as my-project; not its URL, name or number.")
                return nil
            }
            return (.jwt(.firebase(project: project)), .perUser)
        case "googleServiceAccount":
            let audience = section.required("audience")?.claimText()
            let value = section.required("email")
            let text = value?.text()
            guard let audience, let value, let email = text else { return nil }
            guard ServiceAccountAddress.isGoogles(email) else {
                value.report(
                    "must be the email address of a Google service account, such as backend@my-project.iam.gserviceaccount.com."
                )
                return nil
            }
            return (.jwt(.googleServiceAccount(email: email, audience: audience)), .perClient)
        case "apiKeys":
            return section.required("file")?.file().map { (.apiKeys(file: $0), .perClient) }
        default:
            let limit = section["limit"]?.choice(Caller.RateLimit.self) ?? .perUser
            return JWTIssuerConfiguration(section).map { (.jwt($0), limit) }
        }
    }
}
