import Foundation
import Testing

@testable import TokenService

struct FileWatchTests {
    /// Files whose content is told apart by a number.
    private func snapshot(_ files: [String: Int]) -> FileSnapshot {
        FileSnapshot(of: files.keys) { path in
            files[path].map { number in
                .present(.init(device: 1, inode: 2, size: Int64(number), mode: 0o100600, modified: 0, changed: 0))
            } ?? .absent(2)
        }
    }

    @Test(
        arguments: [
            ([1, 1, 1, 1], [false, false, false]), ([1, 2, 2], [false, true]),
            // A file that is being written, and a change that was taken back.
            ([1, 2, 3, 4, 4], [false, false, false, true]), ([1, 2, 1, 2, 2], [false, false, false, true]),
        ] as [([Int], [Bool])]
    )
    func `A change is reported after two equal snapshots`(looks: [Int], due: [Bool]) {
        var watch = FileWatch(snapshot(["a": looks[0], "b": 1]))
        #expect(looks.dropFirst().map { watch.isDue(snapshot(["a": $0, "b": 1])) } == due)
    }

    @Test
    func `A file that keeps changing is due after a bounded number of looks`() {
        var watch = FileWatch(snapshot(["a": 0]))
        let looks = (1...FileWatch.maximumSnapshots).map { watch.isDue(snapshot(["a": $0])) }
        #expect(looks == [Bool](repeating: false, count: FileWatch.maximumSnapshots - 1) + [true])
    }

    @Test
    func `A change of a file is detected, a read is not`() async throws {
        let changes: [(isSeen: Bool, make: (KeySite, String) throws -> Void)] = [
            (false, { _, path in _ = try Data(contentsOf: URL(fileURLWithPath: path)) }),
            (true, { site, path in try #require(rename(try site.write("new", Array("two".utf8)), path) == 0) }),
            (true, { _, path in try Data("more".utf8).write(to: URL(fileURLWithPath: path)) }),
            // As many bytes as before, in place.
            (true, { _, path in try Data("two".utf8).write(to: URL(fileURLWithPath: path)) }),
            (true, { _, path in try #require(chmod(path, 0o640) == 0) }),
            (true, { site, _ in try site.remove("file") }),
        ]
        for (isSeen, make) in changes {
            try await KeySite.with { site in
                let path = try site.write("file", Array("one".utf8))
                // The clock of a file system may stand still for some milliseconds.
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 0)],
                    ofItemAtPath: path
                )
                let before = FileFingerprint(of: path)
                try make(site, path)
                let after = FileFingerprint(of: path)
                #expect((after != before) == isSeen)
            }
        }
    }

    @Test
    func `A file that reappears is detected`() async throws {
        try await KeySite.with { site in
            let before = FileFingerprint(of: site.path("file"))
            try site.write("file", [])
            #expect(FileFingerprint(of: site.path("file")) != before)
        }
    }
}
