import ExpiringCache
import FleetToken
import Foundation
import TestTraits
import Testing
import Timing

@testable import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Transports of the app's own", .watchdog)
struct HTTPTransportTests {
    private let server: FakeTokenServer

    init() throws {
        server = try FakeTokenServer()
    }

    private func source(_ transport: HTTPTransport) -> HTTPTokenSource {
        var configuration = HTTPTokenSource.Configuration()
        configuration.transport = transport
        return HTTPTokenSource(server: server.url, configuration: configuration) { _ in
            ["Authorization": "Bearer CREDENTIAL"]
        }
    }

    private func failure(_ source: HTTPTokenSource) async -> TokenProviderError? {
        await #expect(throws: TokenProviderError.self) {
            try await source.fetchToken(for: TokenFetchContext(scope: .server))
        }
    }

    @Test("The app's settings apply: header fields are sent, and a shorter timeout holds")
    func settings() async throws {
        let settings = URLSessionConfiguration.default
        settings.httpAdditionalHeaders = ["X-App": "rider"]
        settings.timeoutIntervalForRequest = 3
        let source = source(.session(settings))
        // A later change doesn't apply.
        settings.httpAdditionalHeaders = ["X-App": "other"]
        _ = try await source.fetchToken(for: TokenFetchContext(scope: .server))
        #expect(server.requests.first?["x-app"] == "rider")
        #expect(source.session?.session.configuration.timeoutIntervalForRequest == 3)
    }

    @Test("What the library guarantees applies as well: nothing is stored, and the time is limited")
    func guarantees() throws {
        let settings = try #require(source(.session(.default)).session?.session.configuration)
        #expect(settings.httpCookieStorage == nil && settings.urlCache == nil && settings.urlCredentialStorage == nil)
        #expect(settings.timeoutIntervalForRequest == 10 && settings.timeoutIntervalForResource == 10)
    }

    @Test(
        "A function's response from another server is refused, and one that is too large: its token isn't accepted",
        arguments: [
            ("https://tokens.example/other", 0, nil), ("HTTPS://TOKENS.example:443/a", 0, nil),
            ("https://evil.example/token/server", 0, .redirected),
            ("http://tokens.example/token/server", 0, .redirected),
            ("https://tokens.example:8443/token/server", 0, .redirected),
            ("https://a@tokens.example/token/server", 0, .redirected),
            ("https://tokens.example/token/server", 65_536, .unexpectedResponse),
        ] as [(String, Int, TokenErrorCode?)]
    )
    func functionResponse(url: String, padding: Int, code: TokenErrorCode?) async throws {
        let token = Secret(scope: .server).revealText()
        var configuration = HTTPTokenSource.Configuration()
        configuration.transport = HTTPTransport { request in
            #expect(request.url?.absoluteString == "https://tokens.example/token/server")
            let url = try #require(URL(string: url))
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            let spaces = String(repeating: " ", count: padding)
            return (Data((#"{"token":"\#(token)","expiresInSeconds":1200}"# + spaces).utf8), try #require(response))
        }
        let server = try #require(URL(string: "https://tokens.example"))
        let source = HTTPTokenSource(server: server, configuration: configuration)
        guard code != nil else {
            #expect(try await source.fetchToken(for: TokenFetchContext(scope: .server)).lifetime == 1200)
            return
        }
        #expect(await failure(source)?.code == code)
    }

    @Test(
        "A refusal of the app's serverTrust ends the request with an error that needs action",
        arguments: [true, false]
    )
    func serverTrust(isTrusted: Bool) async throws {
        // FoundationNetworking doesn't ask for trust, so the delegate is called as Apple's does.
        let asked = Lock<[String]>([])
        let delegate = TransferDelegate { challenge in
            asked.withLock { $0.append(challenge.protectionSpace.host) }
            return isTrusted
        }
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: server.url)
        let transfer = Transfer(bodyLimit: 1)
        delegate.register(transfer, for: task)
        let space = URLProtectionSpace(
            host: "tokens.example",
            port: 443,
            protocol: "https",
            realm: nil,
            authenticationMethod: TransferDelegate.serverTrustMethod
        )
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil,
            sender: Sender()
        )
        let disposition = Lock<URLSession.AuthChallengeDisposition?>(nil)
        delegate.urlSession(session, task: task, didReceive: challenge) { answer, _ in
            disposition.withLock { $0 = answer }
        }
        #expect(asked.withLock { $0 } == ["tokens.example"])
        #expect(disposition.withLock { $0 } == (isTrusted ? .performDefaultHandling : .cancelAuthenticationChallenge))
        guard !isTrusted else { return }
        let error = await #expect(throws: TokenProviderError.self) { try await transfer.outcome.value() }
        #expect(error?.code == .insecureConnection)
        #expect(error?.needsAction == true)
    }

    private final class Sender: NSObject, URLAuthenticationChallengeSender, Sendable {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }
}
