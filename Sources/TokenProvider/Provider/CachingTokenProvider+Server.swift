public import Foundation

extension CachingTokenProvider {
    /// A provider of tokens from a token server.
    ///
    /// - Parameters:
    ///   - server: The server's `https` URL. One that is not usable is an error of each call.
    ///   - format: How the server answers; this project's `tokend` by default.
    ///   - credentials: The header fields that say who asks. It is called once for each fetch, so it may renew them.
    public convenience init(
        server: URL,
        format: TokenResponseFormat = .fleetToken,
        credentials: @escaping HTTPTokenSource.Credentials = { [:] }
    ) {
        let configuration = HTTPTokenSource.Configuration(format: format)
        self.init(source: HTTPTokenSource(server: server, configuration: configuration, credentials: credentials))
    }
}
