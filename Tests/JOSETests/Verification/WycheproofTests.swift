import FleetToken
import JOSE
import Testing

/// Each signature of Project Wycheproof is taken if it is valid for exactly our algorithm, and refused otherwise.
@Suite(.timeLimit(.minutes(5)))
struct WycheproofTests {
    @Test(
        arguments: ["RsassaPkcs1Verify", "RsassaPssVerify", "EcdsaP1363Verify", "EddsaVerify"]
    )
    func `Wycheproof's signatures are taken or refused as it says`(type: String) throws {
        var (accepted, refused): ([JWSAlgorithm: Int], [JWSAlgorithm: Int]) = ([:], [:])
        for (file, groups) in try WycheproofVectors.files([type]) {
            for group in groups {
                guard let key = try? JWK(parsing: group.jwk, for: JWSAlgorithm.allCases) else {
                    // No key of ours: another curve, an exponent of 3, a point of small order or off the curve.
                    #expect(try isRefusedKey(group), "\(file)")
                    continue
                }
                for test in group.tests {
                    let (signature, message) = ([UInt8](hexadecimal: test.sig), [UInt8](hexadecimal: test.msg))
                    let valid = key.algorithms.filter { key.isValidSignature(signature, of: message, by: $0) }
                    // A valid signature is one of its algorithm only; an invalid one may be one of another.
                    if test.result == "valid" {
                        #expect(valid == group.algorithm.map { [$0] } ?? [], "\(file) \(test.tcId)")
                    }
                    guard let algorithm = group.algorithm else { continue }
                    // "Acceptable" are a DigestInfo without NULL, which is refused, and keys of mixed order.
                    if test.result == "invalid" || test.result == "acceptable" && type != "EddsaVerify" {
                        #expect(!valid.contains(algorithm), "\(file) \(test.tcId)")
                    }
                    if valid.contains(algorithm) {
                        accepted[algorithm, default: 0] += 1
                    } else {
                        refused[algorithm, default: 0] += 1
                    }
                }
            }
        }
        let algorithms = JWSAlgorithm.allCases.filter { accepted[$0] != nil || refused[$0] != nil }
        #expect(Set(algorithms) == Self.algorithms(of: type))
        for algorithm in algorithms {
            #expect(accepted[algorithm, default: 0] >= 9 && refused[algorithm, default: 0] >= 40, "\(algorithm)")
        }
    }

    private static func algorithms(of type: String) -> Set<JWSAlgorithm> {
        switch type {
        case "RsassaPkcs1Verify": [.rs256, .rs384, .rs512]
        case "RsassaPssVerify": [.ps256, .ps384, .ps512]
        case "EcdsaP1363Verify": [.es256, .es384, .es512]
        default: [.edDSA]
        }
    }

    private func isRefusedKey(_ group: WycheproofVectors.Group) throws -> Bool {
        let flags = Set(group.tests.flatMap(\.flags))
        return group.algorithm == nil && ["EcdsaP1363Verify", "EddsaVerify"].contains(group.type)
            || group.publicKey?.publicExponent == "03"
            || flags.contains("SmallOrderPublicKey")
            || group.tests.allSatisfy { $0.result == "invalid" }
    }
}
