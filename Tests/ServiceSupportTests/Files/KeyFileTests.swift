import Foundation
import SystemPackage
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport

/// Files that hold a key, and what people put in their place.
@Suite(.watchdog(seconds: 60))
struct KeyFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test
    func `Up to 64 KiB are read, also through a link`() throws {
        let bytes = [UInt8](repeating: 7, count: 65_536)
        #expect(try KeyFile.read(try folder.write(bytes, to: "full")) == bytes)
        #expect(try KeyFile.read(try folder.write([], to: "empty")) == [])
        try folder.link("link", to: "full")
        #expect(try KeyFile.read(folder.file("link")) == bytes)
    }

    @Test
    func `What is missing, larger or no file is an error that names the path and the reason`() throws {
        try folder.write([UInt8](repeating: 7, count: 65_537), to: "larger")
        try folder.link("dangling", to: "nowhere")
        for (path, reason) in [
            (folder.file("larger"), "64 KiB"), (folder.file("missing"), "no such file"),
            (folder.file("missing/key"), "no such file"), (folder.file("dangling"), "no such file"),
            (folder.path, "it is a folder, not a file"), ("/dev/zero", "not a regular file"),
        ] {
            let error = try #require(throws: OperatorError.self) { try KeyFile.read(path) }
            #expect(error.description.contains(path) && error.description.contains(reason), "\(error)")
        }
    }

    @Test
    func `A pipe is refused without waiting for a writer`() async throws {
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let result = await onThread { Result { try KeyFile.read(path) } }
        let error = try #require(throws: OperatorError.self) { try result.get() }
        #expect(error.description.contains("not a regular file"))
    }

    @Test
    func `A new file is whole and its owner's alone, with no other name beside it`() throws {
        let path = folder.file("key")
        #expect(try KeyFile.create(path, [1, 2, 3]))
        #expect(try TemporaryFolder.read(path) == [1, 2, 3])
        #expect(try TemporaryFolder.mode(of: path) == 0o600)
        #expect(try folder.names == ["key"])
    }

    @Test
    func `An existing file, dangling link or folder is not replaced`() throws {
        let path = try folder.write([9], to: "key")
        try folder.link("dangling", to: "elsewhere")
        try folder.makeFolder("folder")
        for name in ["key", "dangling", "folder"] {
            #expect(try !KeyFile.create(folder.file(name), [1]))
        }
        // The path ends at the zero byte, where the name of the temporary file would have gone on.
        _ = try? KeyFile.create(path + "\u{0}.json", [1])
        #expect(try TemporaryFolder.read(path) == [9])
        #expect(try folder.names == ["dangling", "folder", "key"])
    }

    @Test
    func `A file that cannot be written is named, and nothing stays`() throws {
        let file = try folder.write([9], to: "file")
        let long = folder.file(String(repeating: "x", count: 255))
        for path in [folder.file("missing/key"), "\(file)/key", long] {
            let error = try #require(throws: OperatorError.self) { try KeyFile.create(path, [1]) }
            #expect(error.description.contains(path))
        }
        #expect(try folder.names == ["file"])
    }

    @Test(arguments: 0..<20)
    func `Of many processes that create a key at once, one writes it whole, and none fails`(round: Int) async throws {
        let path = folder.file("key")
        let written = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask { try KeyFile.create(path, [UInt8](repeating: UInt8(number), count: 50_000)) }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        let bytes = try TemporaryFolder.read(path)
        #expect(written == 1 && bytes.count == 50_000 && Set(bytes).count == 1)
        #expect(try folder.names == ["key"])
    }

    @Test(
        arguments: [
            (0o600, false), (0o400, false), (0o700, false), (0o640, true), (0o604, true), (0o644, true), (0o666, true),
            (0o620, true), (0o602, true),
        ]
    )
    func `A private file of this user is refused if any other user can read or change it, also by a link`(
        mode: Int,
        isOpen: Bool
    ) throws {
        let path = try folder.write([1], to: "key", mode: mode)
        try folder.link("link", to: path)
        for name in [path, folder.file("link")] {
            #expect(((try? TrustedFile(name).read(isPrivate: true)) == nil) == isOpen)
        }
    }

    /// The service runs as user 65532; Kubernetes and systemd give it files of root's as 0440 and 0640.
    @Test(
        arguments: [
            (0o400, 0, 65532, nil), (0o440, 0, 65532, nil), (0o640, 0, 65532, nil), (0o460, 0, 65532, "640"),
            (0o660, 0, 65532, "640"), (0o444, 0, 65532, "640"), (0o644, 0, 65532, "640"), (0o642, 0, 65532, "640"),
            (0o400, 65532, 65532, nil), (0o440, 65532, 65532, "600"), (0o640, 65532, 65532, "600"),
            (0o440, 1000, 65532, "600"), (0o400, 0, 0, nil), (0o440, 0, 0, "600"), (0o640, 0, 0, "600"),
            (0o604, 0, 0, "600"),
        ] as [(mode_t, uid_t, uid_t, String?)]
    )
    func `Root may share a private file by its group, and what is advised helps`(
        mode: mode_t,
        owner: uid_t,
        user: uid_t,
        advised: String?
    ) throws {
        func exposure(_ mode: mode_t) -> String? {
            FileOwner(path: "/key", mode: S_IFREG | mode, owner: owner, group: 0)
                .exposure(for: FileUser(id: user, groups: [user]))
        }
        #expect(exposure(mode)?.split(separator: "Run: ").last == advised.map { "chmod \($0) /key" })
        if let advised { #expect(exposure(try #require(mode_t(advised, radix: 8))) == nil) }
    }

    @Test
    func `The mode of a mounted file is set in the mount`() {
        let file = FileOwner(path: "/key", mode: S_IFREG | 0o644, owner: 65532, group: 0, isMounted: true)
        let text = file.exposure(for: FileUser(id: 65532, groups: [65532]))
        #expect(text?.contains("chmod") == false)
        #expect(text?.contains("defaultMode: 0440") == true)
    }
}
