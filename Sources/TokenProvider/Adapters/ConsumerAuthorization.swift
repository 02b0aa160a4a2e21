#if canImport(GoogleRidesharingConsumer)
public import Foundation
public import GoogleRidesharingConsumer

/// Gives the Consumer SDK its tokens.
///
/// ```swift
/// GMTCServices.setAccessTokenProvider(ConsumerAuthorization(tokens), providerID: providerID)
/// ```
#if canImport(ObjectiveC)
@objc(FTConsumerAuthorization) @objcMembers
#endif
public final class ConsumerAuthorization: NSObject, GMTCAuthorization, Sendable {
    /// Where the tokens come from.
    public let provider: CachingTokenProvider

    /// Passes on a provider's tokens.
    public init(_ provider: CachingTokenProvider) {
        self.provider = provider
    }

    /// Called by the SDK, from any queue.
    public func fetchToken(
        with authorizationContext: GMTCAuthorizationContext?,
        completion: @escaping GMTCAuthTokenFetchCompletionHandler
    ) {
        provider.fetchToken(tripID: authorizationContext?.tripID, completion: completion)
    }
}

extension ConsumerAuthorization {
    /// For Objective-C: passes on the tokens of this project's `tokend`.
    ///
    /// - Parameters:
    ///   - serverURL: The token server's `https` URL.
    ///   - credentials: Calls its argument once with the header fields that say who asks.
    public convenience init(
        serverURL: URL,
        credentials: @escaping @Sendable (@escaping CredentialsCompletion) -> Void
    ) {
        self.init(
            CachingTokenProvider(server: serverURL, credentials: CallbackCredentials.credentials(from: credentials))
        )
    }

    /// Drops all tokens, as a sign-out must.
    public func removeAllTokens() {
        provider.removeAll()
    }

    /// Drops a trip's token after the SDK reported `UNAUTHENTICATED` for it.
    public func invalidateToken(tripID: String) {
        provider.invalidateToken(tripID: tripID)
    }
}
#endif
