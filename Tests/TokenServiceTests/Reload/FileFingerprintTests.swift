import Foundation
import Testing

@testable import TokenService

@Suite("Each way in which people change files is seen")
struct FileFingerprintTests {
    @Test("Each change of a file is seen, and reading it is none")
    func change() async throws {
        let changes: [(isSeen: Bool, make: (KeySite, String) throws -> Void)] = [
            (false, { _, path in _ = try Data(contentsOf: URL(fileURLWithPath: path)) }),
            (true, { site, path in try #require(rename(try site.write("new", Array("two".utf8)), path) == 0) }),
            (true, { _, path in try Data("more".utf8).write(to: URL(fileURLWithPath: path)) }),
            (true, { _, path in try #require(chmod(path, 0o640) == 0) }),
            (true, { site, _ in try site.remove("file") }),
        ]
        for (isSeen, make) in changes {
            try await KeySite.with { site in
                let path = try site.write("file", Array("one".utf8))
                let before = FileFingerprint(of: path)
                try make(site, path)
                let after = FileFingerprint(of: path)
                #expect((after != before) == isSeen)
            }
        }
    }

    @Test("The return of a file is seen")
    func fileThatReturns() async throws {
        try await KeySite.with { site in
            let before = FileFingerprint(of: site.path("file"))
            try site.write("file", [])
            #expect(FileFingerprint(of: site.path("file")) != before)
        }
    }
}
