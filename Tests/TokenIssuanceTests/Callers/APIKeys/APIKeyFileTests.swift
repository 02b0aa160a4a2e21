import FleetToken
import Foundation
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

@Suite struct APIKeyFileTests {
    private static let id = "0123456789ab"
    private static let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    private static let line = "\(id) \(digest) 2027-01-31T00:00:00Z billing backend"

    private func problems(_ text: String) -> [String] {
        do throws(OperatorError) {
            _ = try APIKeyFile(parsing: Array(text.utf8), path: "keys.txt")
            return []
        } catch {
            return error.problems.map(\.message)
        }
    }

    @Test
    func `Lines, comments and empty lines are read`() throws {
        let text = "# Keys; each begins with ftk_.\n\n\(Self.line)\r\n\r\nZZZZZZZZZZZZ \(Self.digest) never x"
        let records = try APIKeyFile(parsing: Array(text.utf8), path: "keys").records
        #expect(records.map(\.label) == ["billing backend", "x"])
        #expect(records.map(\.notAfter) == [NumericDate(seconds: 1_801_353_600), nil])
        #expect(records.first?.line == Self.line)
    }

    @Test
    func `A plaintext key anywhere in the file is reported without being printed`() {
        let key = "ftk_\(Self.id)_\(String(repeating: "a1B2", count: 10))abc"
        for text in [
            key, "\(Self.id) \(key) never x", "\(Self.line) \(key)", "# \(key)", "x\n  \(key)", "#ftk_. \(key)",
        ] {
            let problems = problems(text)
            #expect(problems.contains { $0.contains("contains a plaintext key") })
            #expect(!problems.contains { $0.contains("a1B2") })
        }
    }

    @Test(
        arguments: [
            // Passwords, and digests that are none
            "\(id) hunter2 never x", "\(id) correct-horse-battery-staple never x", "\(id) \(digest.dropLast()) never x",
            "\(id) \(digest)0 never x", "\(id) \(digest.uppercased()) never x", "\(id) g\(digest.dropFirst()) never x",
            "\(id) \(String(repeating: "0", count: 64)) never x",
            "\(id) \(String(repeating: "deadbeef", count: 8)) never x",
            "\(id) \(String(repeating: "1234567", count: 9))1 never x",
            // IDs
            "short \(digest) never x", "0123456789abc \(digest) never x", "01234567-9ab \(digest) never x",
            "0123456789a\u{E9} \(digest) never x",
            // Times
            "\(id) \(digest) 2027-01-31 x", "\(id) \(digest) 2027-02-30T00:00:00Z x",
            "\(id) \(digest) 2027-01-31T24:00:00Z x",
            "\(id) \(digest) 2027-01-31T00:00:00+01:00 x", "\(id) \(digest) 2027-01-31t00:00:00z x",
            "\(id) \(digest) Never x",
            "\(id) \(digest) 1801353600 x", "\(id) \(digest) 2027-01-31T00:00:00.0Z x",
            "\(id) \(digest) 20270131T000000Z x",
            // Labels and shape
            "\(id) \(digest) never", "\(id) \(digest)", id, " ", "\(id)\t\(digest)\tnever\tx",
            "\(id) \(digest) never caf\u{E9}",
            "\(id) \(digest) never a\u{1B}b", "\(id) \(digest) never \(String(repeating: "x", count: 65))",
        ]
    )
    func `An invalid line is reported with its number, and its text is not printed`(_ line: String) {
        let problems = problems("\(Self.line.replacing(Self.id, with: "ABCDEFGHIJKL"))\n\(line)\n")
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("keys.txt:2: ") == true)
        // The message must not print what may be a password.
        #expect(problems.first?.contains("hunter2") == false)
    }

    @Test
    func `All invalid lines are named together`() {
        #expect(
            problems("a\n\(Self.line)\nb\n\(Self.line)\n").map { String($0.prefix(11)) } == [
                "keys.txt:1:", "keys.txt:3:", "keys.txt:4:",
            ]
        )
    }

    @Test
    func `A damaged file never crashes the reader`() {
        var generator = SeededGenerator(seed: 4)
        let good = Array("# keys\n\(Self.line)\nZZZZZZZZZZZZ \(Self.digest) never x\n".utf8)
        for _ in 0..<5000 {
            _ = try? APIKeyFile(parsing: generator.damage(good), path: "keys")
        }
    }
}
