import Foundation
import Testing

@testable import TokenService

/// Each way in which people change files is seen.
struct FileFingerprintTests {
    private func changes(_ change: (KeySite, _ path: String) throws -> Void) async throws -> Bool {
        try await KeySite.with { site in
            let path = try site.write("file", Array("one".utf8))
            let before = FileFingerprint(of: path)
            try change(site, path)
            return FileFingerprint(of: path) != before
        }
    }

    @Test("An unchanged file has the same fingerprint")
    func fileLooksTheSameUntilItChanges() async throws {
        #expect(try await !changes { _, path in _ = try Data(contentsOf: URL(fileURLWithPath: path)) })
    }

    @Test("A rename over the file is seen")
    func renameOverItIsSeen() async throws {
        #expect(
            try await changes { site, path in
                let new = try site.write("new", Array("two".utf8))
                try #require(rename(new, path) == 0)
            }
        )
    }

    @Test("A write in place is seen")
    func writeInPlaceIsSeen() async throws {
        #expect(
            try await changes { _, path in
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
                try file.write(contentsOf: Data("more than that".utf8))
                try file.close()
            }
        )
    }

    @Test("Other permissions are seen")
    func otherPermissionsAreSeen() async throws {
        #expect(try await changes { _, path in try #require(chmod(path, 0o640) == 0) })
    }

    @Test("Removal and return are seen")
    func removalAndReturnAreSeen() async throws {
        #expect(try await changes { site, _ in try site.remove("file") })
        try await KeySite.with { site in
            let before = FileFingerprint(of: site.path("file"))
            try site.write("file", [])
            #expect(FileFingerprint(of: site.path("file")) != before)
        }
    }

    /// Kubernetes changes nothing but what a link to a folder leads to.
    @Test("Another target of a link to the folder is seen, as Kubernetes does it")
    func swapOfTheFolderBehindALinkIsSeen() async throws {
        try await KeySite.with { site in
            let files = FileManager.default
            for version in ["one", "two"] {
                try files.createDirectory(atPath: site.path(version), withIntermediateDirectories: false)
                try site.write("\(version)/file", Array("same".utf8))
            }
            try files.createSymbolicLink(atPath: site.path("..data"), withDestinationPath: "one")
            try files.createSymbolicLink(atPath: site.path("file"), withDestinationPath: "..data/file")
            let before = FileFingerprint(of: site.path("file"))
            try files.createSymbolicLink(atPath: site.path("..data_tmp"), withDestinationPath: "two")
            try #require(rename(site.path("..data_tmp"), site.path("..data")) == 0)
            #expect(FileFingerprint(of: site.path("file")) != before)
        }
    }
}
