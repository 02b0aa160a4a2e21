import TestSupport
import Testing

/// Key sets that are fetched.
@Suite(.timeLimit(.minutes(5)))
struct TokenctlKeySetTests {
    private func verify(
        _ fixture: TokenctlFixture,
        port: Int,
        scheme: String = "http",
        timeLimit: Double = 60
    ) async throws -> CommandRunner.Outcome {
        let address = "\(scheme)://127.0.0.1:\(port)/jwks.json"
        return try await CommandRunner("tokenctl", in: fixture.directory, timeLimit: timeLimit).run(
            ["verify", "--jwks", address, "--at", "\(TokenctlFixture.now)"],
            input: Array(try fixture.token().utf8)
        )
    }

    private func keySet(_ fixture: TokenctlFixture) throws -> String {
        String(decoding: try fixture.keySet(), as: UTF8.self)
    }

    @Test func fetchesAKeySetOverLoopback() async throws {
        try await TokenctlFixture.run { fixture in
            try await TokenctlKeySetServer.run(answering: TokenctlKeySetServer.ok(try keySet(fixture))) { port in
                let outcome = try await verify(fixture, port: port)
                #expect(outcome.status == 0)
                #expect(outcome.errors == "")
            }
        }
    }

    @Test func takes256KiBAndNoMore() async throws {
        try await TokenctlFixture.run { fixture in
            let set = try keySet(fixture)
            for (size, status) in [(256 * 1024, 0), (256 * 1024 + 1, 6)] as [(Int, Int32)] {
                let padded = set + String(repeating: " ", count: size - set.utf8.count)
                try await TokenctlKeySetServer.run(answering: TokenctlKeySetServer.ok(padded)) { port in
                    let outcome = try await verify(fixture, port: port)
                    #expect(outcome.status == status)
                    #expect(outcome.errors.contains("larger than 256 KiB") == (status == 6))
                }
                // Nor does it matter whether the answer says how long it is.
                let endless = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(padded)"
                try await TokenctlKeySetServer.run(answering: endless) { port in
                    let outcome = try await verify(fixture, port: port)
                    #expect(outcome.status == status)
                }
            }
        }
    }

    private static let unusable: [(answer: String, message: String)] = [
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "HTTP status 404"),
        ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", "HTTP status 503"),
        ("HTTP/1.1 204 No Content\r\n\r\n", "HTTP status 204"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", ""),
        ("no HTTP\r\n\r\n", ""),
        ("", ""),
    ]

    @Test(arguments: unusable)
    func countsAsANetworkFaultWhatIsNoGoodAnswer(answer: String, message: String) async throws {
        try await TokenctlFixture.run { fixture in
            try await TokenctlKeySetServer.run(answering: answer) { port in
                let outcome = try await verify(fixture, port: port)
                #expect(outcome.status == 6)
                #expect(outcome.output == [])
                #expect(
                    outcome.errors.hasPrefix(
                        "Error: Cannot fetch http://127.0.0.1:\(port)/jwks.json: \(message.isEmpty ? "" : "\(message)")"
                    )
                )
            }
        }
    }

    @Test func followsNoRedirect() async throws {
        try await TokenctlFixture.run { fixture in
            try await TokenctlKeySetServer.run(answering: TokenctlKeySetServer.ok(try keySet(fixture))) { good in
                let redirect = """
                    HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(good)/\r\nContent-Length: 0\r\n\r\n
                    """
                try await TokenctlKeySetServer.run(answering: redirect) { port in
                    let outcome = try await verify(fixture, port: port)
                    #expect(outcome.status == 6)
                    #expect(outcome.errors.contains("redirected (HTTP 302)"))
                }
            }
        }
    }

    private static let stalling = [
        ("http", ""), ("http", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"), ("https", ""),
    ]

    /// This takes the ten seconds that it is about, for all at once.
    @Test func waitsTenSecondsForTheWholeAnswer() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (scheme, answer) in Self.stalling {
                group.addTask {
                    try await TokenctlFixture.run { fixture in
                        try await TokenctlKeySetServer.run(answering: answer, then: .stalls) { port in
                            let outcome = try await verify(fixture, port: port, scheme: scheme, timeLimit: 25)
                            #expect(outcome.status == 6, "\(scheme) \(answer)")
                            #expect(outcome.errors.contains("timed out after 10 seconds"), "\(scheme) \(answer)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func countsAsABadKeyWhatIsNoKeySet() async throws {
        try await TokenctlFixture.run { fixture in
            try await TokenctlKeySetServer.run(answering: TokenctlKeySetServer.ok("<html>")) { port in
                let outcome = try await verify(fixture, port: port)
                #expect(outcome.status == 3)
                #expect(
                    outcome.errors.hasPrefix("Error: http://127.0.0.1:\(port)/jwks.json: The key set is unusable")
                )
            }
        }
    }

    @Test func saysThatNobodyListens() async throws {
        try await TokenctlFixture.run { fixture in
            var closed = 0
            try await TokenctlKeySetServer.run(answering: "") { closed = $0 }
            let outcome = try await verify(fixture, port: closed)
            #expect(outcome.status == 6)
            #expect(outcome.errors.hasSuffix(": Connection refused.\n"))
        }
    }

    @Test func saysThatTLSFails() async throws {
        try await TokenctlFixture.run { fixture in
            try await TokenctlKeySetServer.run(answering: "no TLS\r\n") { port in
                let outcome = try await verify(fixture, port: port, scheme: "https")
                #expect(outcome.status == 6)
                #expect(outcome.errors.contains(": TLS handshake failed"))
            }
        }
    }
}
