import JOSE
import StrictCoding
import TestRandomness
import TestTraits
import Testing

@testable import TokenIssuance

/// Whatever is done to a token, it is good no more.
@Suite(.watchdog(seconds: 30), .authenticationScene)
struct JWTPropertyTests {
    private let scene = AuthenticationScene.ofTest

    @Test("A token with a changed byte never authenticates", arguments: JWSAlgorithm.allCases)
    func damagedTokensNeverAuthenticate(_ algorithm: JWSAlgorithm) async throws {
        try await AuthenticationScene.run(algorithms: JWSAlgorithm.allCases) { scene async throws in
            var generator = SeededGenerator(seed: 1)
            let good = Array(try scene.token(algorithm).utf8)
            #expect(await isTaken(good, scene))
            for round in 0..<2000 {
                let damaged = generator.damage(good)
                guard damaged != good else { continue }
                #expect(await !isTaken(damaged, scene), "round \(round)")
            }
            #expect(await isTaken(good, scene))
        }
    }

    /// Damage to what the base64 stands for, so that more of it comes through to the signature.
    @Test("A token with a changed part never authenticates", arguments: JWSAlgorithm.allCases)
    func damagedPartsNeverAuthenticate(_ algorithm: JWSAlgorithm) async throws {
        try await AuthenticationScene.run(algorithms: JWSAlgorithm.allCases) { scene async throws in
            var generator = SeededGenerator(seed: 2)
            let good = try scene.token(algorithm)
            let parts = try good.utf8.split(separator: 0x2E).map { try Base64URL.decode(Array($0)) }
            for round in 0..<1500 {
                var damaged = parts
                damaged[round % 3] = generator.damage(parts[round % 3])
                guard damaged != parts else { continue }
                let token = Array(damaged.map { Base64URL.encode($0) }.joined(separator: [0x2E]))
                #expect(await !isTaken(token, scene), "round \(round)")
            }
        }
    }

    @Test("A token made of parts of two never authenticates")
    func mixedTokensNeverAuthenticate() async throws {
        let tokens = try JWSAlgorithm.usual.flatMap { algorithm in
            try ["a", "b"].map { subject in
                try scene.token(algorithm) { $0.claims["sub"] = .string(subject) }.split(separator: ".")
            }
        }
        for header in tokens.indices {
            for payload in tokens.indices {
                for signature in tokens.indices {
                    let token = "\(tokens[header][0]).\(tokens[payload][1]).\(tokens[signature][2])"
                    let isWhole = tokens.contains { $0.joined(separator: ".") == token }
                    #expect(await isTaken(Array(token.utf8), scene) == isWhole)
                }
            }
        }
    }

    private func isTaken(_ token: [UInt8], _ scene: AuthenticationScene) async -> Bool {
        await (try? scene.authenticator.tokens.caller(bearing: token, allowance: .unlimited)) != nil
    }
}
