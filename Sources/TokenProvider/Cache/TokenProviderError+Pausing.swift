extension TokenProviderError {
    /// What pauses after a failure.
    enum Pausing: Hashable, Sendable {
        /// Nothing: nothing was sent.
        case nothing
        /// The scope, for less than a second: a device without a network has no server to protect.
        case scopeBriefly
        case scope
        case allScopes
    }

    var pausing: Pausing {
        if let pausingOverride { return pausingOverride }
        return switch code {
        // No user is signed in.
        case .unauthenticated where httpStatus == nil: .nothing
        case .offline, .insecureConnection: .scopeBriefly
        // A 502 or 504 with a delay pauses its scope only: a proxy sends it for one request.
        case .unavailable where retryAfter != nil && [nil, 503].contains(httpStatus): .allScopes
        // `tokend` limits callers: its 429 concerns all scopes of this one.
        case .resourceExhausted where retryAfter != nil: .allScopes
        default: .scope
        }
    }
}
