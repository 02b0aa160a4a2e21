import Foundation
import TestTraits
import Testing

@testable import ServiceSupport
@testable import TokenMinting

/// Files that hold a key, and what people put in their place.
@Suite(.watchdog(seconds: 60)) struct KeyFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func refusal<Value>(_ body: () throws -> Value) throws -> FileError {
        try #require(throws: FileError.self) { _ = try body() }
    }

    @Test func readsAFileAndThroughALink() throws {
        let path = try folder.write([1, 2, 3], to: "key")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
        #expect(try KeyFile.read(path) == [1, 2, 3])
        #expect(try KeyFile.read(folder.file("link")) == [1, 2, 3])
        #expect(try KeyFile.read(try folder.write([], to: "empty")) == [])
    }

    @Test func readsUpTo64KiB() throws {
        let bytes = [UInt8](repeating: 7, count: KeyFile.maximumSize)
        #expect(try KeyFile.read(try folder.write(bytes, to: "full")) == bytes)
        let larger = try folder.write(bytes + [7], to: "larger")
        let error = try refusal { try KeyFile.read(larger) }
        #expect(error.description.contains("64 KiB"))
        #expect(error.description.contains(larger))
    }

    @Test func namesWhatIsNotThere() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.file("dangling"), withDestinationPath: "nowhere")
        for path in [folder.file("missing"), folder.file("missing/key"), folder.file("dangling")] {
            let error = try refusal { try KeyFile.read(path) }
            #expect(error.description.contains(path))
            #expect(error.description.contains("no such file"))
        }
    }

    @Test func refusesFoldersAndDevices() throws {
        for path in [folder.path, "/", "/dev/null", "/dev/zero"] {
            let error = try refusal { try KeyFile.read(path) }
            let hint = path.hasPrefix("/dev/") ? "not a regular file" : "it is a folder, not a file"
            #expect(error.description.contains(hint))
            #expect(error.description.contains(path))
        }
    }

    @Test func refusesAPipeWithoutWaitingForIt() async throws {
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let (results, continuation) = AsyncStream.makeStream(of: Result<[UInt8], any Error>.self)
        Thread.detachNewThread { continuation.yield(Result { try KeyFile.read(path) }) }
        let result = try #require(await results.first { _ in true }, "it waits for a writer")
        #expect(try refusal { try result.get() }.description.contains("not a regular file"))
    }

    @Test func createsAFileForItsOwnerOnly() throws {
        let path = folder.file("key")
        #expect(try KeyFile.create(path, [1, 2, 3]))
        #expect(try TemporaryFolder.read(path) == [1, 2, 3])
        #expect(try TemporaryFolder.mode(of: path) == 0o600)
        #expect(try folder.names == ["key"])
    }

    @Test func leavesWhatIsThere() throws {
        let path = try folder.write([9], to: "key")
        try FileManager.default.createSymbolicLink(atPath: folder.file("dangling"), withDestinationPath: "elsewhere")
        try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
        for name in ["key", "dangling", "folder"] {
            #expect(try !KeyFile.create(folder.file(name), [1]))
        }
        #expect(try TemporaryFolder.read(path) == [9])
        #expect(try folder.names == ["dangling", "folder", "key"])
    }

    @Test func namesTheFileThatCannotBeWritten() throws {
        let file = try folder.write([9], to: "file")
        let long = folder.file(String(repeating: "x", count: 255))
        for path in [folder.file("missing/key"), "\(file)/key", long] {
            #expect(try refusal { try KeyFile.create(path, [1]) }.description.contains(path))
        }
        #expect(try folder.names == ["file"])
    }

    @Test func removesNothingThatItDidNotMake() throws {
        // The path ends at the zero byte, where the name of the temporary file would have gone on.
        let path = try folder.write([9], to: "key")
        _ = try? KeyFile.create(path + "\u{0}.json", [1])
        #expect(try TemporaryFolder.read(path) == [9])
    }

    @Test(
        "Of many processes that create a key at once, one writes it whole, and none fails",
        arguments: 0..<20
    )
    func concurrentCreators(round: Int) async throws {
        let path = folder.file("key")
        let written = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                // Each looks for files that the others have left, and finds some that they have just created.
                group.addTask { try KeyFile.create(path, [UInt8](repeating: UInt8(number), count: 50_000)) }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        let bytes = try TemporaryFolder.read(path)
        #expect(written == 1)
        #expect(bytes.count == 50_000)
        #expect(Set(bytes).count == 1)
        #expect(try folder.names == ["key"])
    }

    @Test(
        "Reports which users may read or change a file",
        .tags(.s4),
        arguments: [
            (0o600, false), (0o400, false), (0o700, false), (0o640, true), (0o604, true), (0o644, true), (0o666, true),
            (0o620, true), (0o602, true),
        ]
    )
    func tellsWhoElseMayReadOrChangeAFile(mode: Int, isOpen: Bool) throws {
        let path = try folder.write([1], to: "key")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
        #expect(try (KeyFile.exposure(path) != nil) == isOpen)
        #expect(try (KeyFile.exposure(folder.file("link")) != nil) == isOpen)
    }

    /// The service runs as user 65532; Kubernetes and systemd hand it files of root's as 0440 and 0640.
    @Test(
        "Root may share a file by its group",
        .tags(.s4),
        arguments: [
            (0o400, 0, false), (0o440, 0, false), (0o640, 0, false), (0o460, 0, true), (0o660, 0, true),
            (0o444, 0, true),
            (0o644, 0, true), (0o642, 0, true), (0o400, 65532, false), (0o440, 65532, true), (0o640, 65532, true),
            (0o440, 1000, true),
        ]
    )
    func letsRootHandAFileOverByItsGroup(mode: mode_t, owner: uid_t, isOpen: Bool) {
        #expect(KeyFile.isReadableByOthers(mode: mode, owner: owner, user: 65532) == isOpen)
    }

    @Test(
        "A file that root uses itself must be private",
        .tags(.s4),
        arguments: [(0o400, false), (0o440, true), (0o640, true), (0o604, true)]
    )
    func letsNobodyElseReadWhatRootUsesItself(mode: mode_t, isOpen: Bool) {
        #expect(KeyFile.isReadableByOthers(mode: mode, owner: 0, user: 0) == isOpen)
    }

    /// What is advised must help: the next look finds nothing, and the user can still read the file.
    @Test(
        "Advises what the user can still read",
        .tags(.s4),
        arguments: [(0o644, 0, 65532, "chmod 640"), (0o644, 65532, 65532, "chmod 600"), (0o640, 0, 0, "chmod 600")]
    )
    func advisesWhatTheUserCanStillRead(mode: mode_t, owner: uid_t, user: uid_t, fix: String) throws {
        #expect(KeyFile.fix(mode: mode, owner: owner, user: user) == fix)
        let advised = try #require(mode_t(fix.suffix(3), radix: 8))
        #expect(KeyFile.fix(mode: advised, owner: owner, user: user) == nil)
    }

    @Test("Names a file that cannot be checked", .tags(.s4))
    func namesAFileThatCannotBeLookedAt() throws {
        let path = folder.file("missing")
        #expect(try refusal { try KeyFile.exposure(path) }.description.contains(path))
    }
}
