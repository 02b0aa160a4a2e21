import FleetToken
import Foundation
import JOSE
import ServiceConfiguration
import Telemetry
import TestSupport
import TestTraits
import Testing
import TokenIssuance
import TokenMinting

@testable import TokenService

/// When batch signing is used, and what happens when its signatures are invalid.
@Suite(.watchdog)
struct BatchSignerTests {
    private func with<Result>(
        _ body: (LaneLibrary, SigningConfiguration) async throws -> Result
    ) async throws -> Result {
        try await withTemporaryDirectory { folder in
            let library = try await LaneLibrary(compiledIn: folder)
            return try await body(library, SigningConfiguration(library: library.path))
        }
    }

    @Test(arguments: [(250, 620, 3), (250, 1_100, 5), (250, 1_999, 8), (250, 100, 3)] as [(Int64, Int64, Int)])
    func batchesAreMadeFromTheNumberThatIsFaster(single: Int64, batch: Int64, least: Int) async throws {
        try await with { _, configuration in
            let batches = BatchTrial.batches(configuration, single: single, batch: batch)
            #expect(batches.status.reason == .noKey)
            let key = try #require(batches.batchKey(for: BatchTrial.signer().key))
            #expect(key.least == least)
            #expect(batches.status.isInUse)
            #expect(batches.duration == batch * 1_000 / 8)
        }
    }

    @Test func theSpeedIsTold() async throws {
        try await with { _, configuration in
            let batches = BatchTrial.batches(configuration)
            _ = try batches.batchKey(for: BatchTrial.signer().key)
            #expect(batches.status.text == "Batch signing is in use: 3.2 times as fast as libcrypto.")
            #expect(batches.duration == 77_500)
        }
    }

    @Test func libcryptoSignsWhereItIsAsFast() async throws {
        try await with { _, configuration in
            let batches = BatchTrial.batches(configuration, single: 250, batch: 2_000)
            let signer = try BatchTrial.signer()
            #expect(batches.batchKey(for: signer.key) == nil)
            #expect(batches.status.reason == .slower)
            #expect(batches.duration == 250_000)
        }
    }

    @Test func nothingIsLoadedWhereItIsOff() async throws {
        try await with { _, configuration in
            let off = SigningConfiguration(batch: .off, library: configuration.library)
            #expect(BatchTrial.batches(off).status.reason == .off)
        }
    }

    @Test func nothingIsLoadedWhereTheProcessorLacksInstructions() async throws {
        try await with { _, configuration in
            let processor = Processor(flags: Processor.neededForBatches.subtracting(["avx512ifma", "adx"]))
            let status = BatchTrial.batches(configuration, processor: processor).status
            #expect(status.reason == .noInstructions)
            #expect(status.text == "Batch signing is not in use: the processor lacks adx, avx512ifma.")
        }
    }

    @Test func libcryptoSignsWithoutALibrary() throws {
        let batches = BatchTrial.batches(SigningConfiguration(library: "/nowhere/lanes.so"))
        #expect(batches.status.reason == .noLibrary)
        let signer = try BatchTrial.signer()
        #expect(batches.batchKey(for: signer.key) == nil)
    }

    @Test(arguments: ["wrong 5", "status 0", "unsupported", "short"])
    func libcryptoSignsAfterAFailedSelfTest(order: String) async throws {
        try await with { library, configuration in
            let batches = BatchTrial.batches(configuration)
            try library.tell(order)
            let signer = try BatchTrial.signer()
            #expect(batches.batchKey(for: signer.key) == nil)
            #expect(batches.status.reason == .wrongSignature)
            #expect(!batches.isActive)
        }
    }

    @Test(arguments: ["wrong 1", "status 1"])
    func aWrongSignatureIsMadeAgainAndTheSecondEndsIt(order: String) async throws {
        try await with { library, configuration in
            let registry = PrometheusRegistry()
            let batches = BatchTrial.batches(configuration, metrics: BatchMetrics(registry: registry))
            let signers = [try BatchTrial.signer(0), try BatchTrial.signer(1)]
            let keys = try signers.map { try #require(batches.batchKey(for: $0.key)) }
            try library.tell(order)
            func sign(_ number: Int) throws {
                let requests = (0..<3).map { lane in
                    (signer: signers[lane % 2], key: keys[lane % 2], payload: Array("{\(number) \(lane)}".utf8))
                }
                for (request, result) in zip(requests, batches.sign(requests)) {
                    let token = try result.get()
                    #expect(BatchTrial.token(token, isOf: request.signer, request.payload))
                }
            }
            try sign(1)
            #expect(batches.status.isInUse && batches.isActive)
            try sign(2)
            #expect(batches.status.reason == .faulty)
            #expect(!batches.isActive && batches.duration == 250_000)
            try sign(3)
            // A reload tries the keys again.
            try library.tell("")
            #expect(batches.batchKey(for: signers[0].key) == nil)
            #expect(batches.status.reason == .faulty && batches.duration == 250_000)
            let page = String(decoding: registry.render(), as: UTF8.self)
            #expect(page.contains("fleet_token_sign_lanes_wrong_total 2\n"))
            #expect(page.contains("fleet_token_sign_lanes_wasted_total 10\n"))
            #expect(page.contains(#"fleet_token_sign_batches_total{signatures="3"} 2"#))
            #expect(page.contains(#"fleet_token_sign_batch_info{in_use="no",reason="faulty"} 1"#))
        }
    }

    @Test(
        .enabled(if: Requirement.runs(where: LaneLibrary.hasIntels), Comment(rawValue: LaneLibrary.lack)),
        arguments: IndependentVerifier.allCases
    )
    func otherLibrariesVerifyTheTokensOfABatch(library: IndependentVerifier) async throws {
        let registry = PrometheusRegistry()
        let batches = BatchTrial.batches(
            SigningConfiguration(library: try LaneLibrary.intel().path),
            metrics: BatchMetrics(registry: registry)
        )
        let signers = [try BatchTrial.signer(0), try BatchTrial.signer(1)]
        let keys = try signers.map { try #require(batches.batchKey(for: $0.key)) }
        let minter = TokenMinter(signers: [.driver: signers[0], .consumer: signers[1]])
        let minted = try await minter.mint(.driver(vehicle: try ResourceID("v1")), now: .now)
        let payload = try CompactJWS(parsing: minted.token.reveal()).payload
        let signed = batches.sign((0..<8).map { (signers[$0 % 2], keys[$0 % 2], payload) })
        let tokens = try signed.map { try $0.get().token.reveal() }
        let verifier = try await library.verifier(jwks: try minter.keys().encoded())
        for (number, token) in tokens.enumerated() {
            let verified = try await verifier.verify(token)
            #expect(verified.header["kid"] == "key-\(number % 2)")
            #expect(verified.authorization == ["vehicleid": .text("v1")])
        }
        let page = String(decoding: registry.render(), as: UTF8.self)
        #expect(page.contains(#"fleet_token_sign_batches_total{signatures="8"} 1"#))
    }

    @Test(arguments: ["", "model name: A", "flags", "flags : bmi2"])
    func aProcessorOfWhichNothingIsKnownLacksInstructions(text: String) async throws {
        try await withTemporaryDirectory { folder in
            let path = "\(folder)/cpuinfo"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try #require(Processor(file: path).reasonAgainstBatches).contains("lacks adx"))
        }
    }

    @Test func aProcessorWithoutItsFileIsUnknown() {
        let obstacle = Processor(file: "/nowhere/cpuinfo").reasonAgainstBatches
        #expect(obstacle == "/nowhere/cpuinfo, which lists the processor's instructions, cannot be read")
    }

    @Test func aProcessorHasTheInstructionsOfItsFile() async throws {
        try await withTemporaryDirectory { folder in
            let path = "\(folder)/cpuinfo"
            let flags = Processor.neededForBatches.joined(separator: " ")
            try "processor\t: 0\nflags\t\t: fpu \(flags)\nbugs\t:\n".write(
                toFile: path,
                atomically: true,
                encoding: .utf8
            )
            #expect(Processor(environment: [Processor.variable: path]).reasonAgainstBatches == nil)
        }
    }
}
