import Foundation
import Testing

@testable import ServiceSupport
@testable import TokenMinting

/// Who may change what is trusted: the rule on its own, and as far as one user can try it on the disk.
struct TrustedFileTests {
    private let folder: TemporaryFolder
    private let service = FileUser(id: 65532, group: 65532, groups: [65532])

    init() throws {
        folder = try TemporaryFolder()
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func file(_ mode: mode_t, owner: uid_t, group: gid_t = 0, inRootsFolder: Bool = true) -> FileLocation {
        FileLocation(
            path: "/etc/tokend/api-keys",
            mode: S_IFREG | mode,
            owner: owner,
            group: group,
            isInRootsFolder: inRootsFolder
        )
    }

    private func directory(_ mode: mode_t, owner: uid_t = 0, group: gid_t = 0, readOnly: Bool = false) -> FileLocation {
        FileLocation(
            path: "/etc/tokend",
            mode: S_IFDIR | mode,
            owner: owner,
            group: group,
            isInRootsFolder: true,
            isReadOnlyVolume: readOnly
        )
    }

    @Test(arguments: [0o600, 0o400, 0o640, 0o644, 0o755, 0o700])
    func takesWhatOnlyItsOwnerCanChange(mode: Int) throws {
        let path = try folder.write([1], to: "api-keys")
        try setMode(mode, path)
        #expect(TrustedFile(path).problems == [])
        #expect(throws: Never.self) { try TrustedFile(path).require() }
    }

    @Test(arguments: [(0o666, "go-w"), (0o664, "g-w"), (0o646, "o-w"), (0o620, "g-w"), (0o602, "o-w")])
    func namesTheFileTheModeAndTheCommand(mode: Int, bits: String) throws {
        let path = try folder.write([1], to: "api-keys")
        try setMode(mode, path)
        let problems = TrustedFile(path).problems
        #expect(problems.count == 1)
        let problem = try #require(problems.first)
        #expect(problem.contains("(mode \(String(mode, radix: 8)))"))
        #expect(problem.hasSuffix("Run: chmod \(bits) \(path)"))
        let error = #expect(throws: FileError.self) { try TrustedFile(path).require() }
        #expect(error?.description.contains(path) ?? false)
    }

    @Test func looksAtEachFolderOnTheWay() throws {
        let inner = folder.file("outer/inner")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        let path = try folder.write([1], to: "outer/inner/file")
        #expect(TrustedFile(path).problems == [])
        try setMode(0o775, folder.file("outer"))
        #expect(TrustedFile(path).problems.map { $0.hasSuffix("Run: chmod g-w \(folder.file("outer"))") } == [true])
        // A file that is not there yet could be put there.
        #expect(TrustedFile(folder.file("outer/none")).problems.count == 1)
        // In a sticky folder, others can replace only what is theirs.
        try setMode(0o1777, folder.file("outer"))
        #expect(TrustedFile(path).problems == [])
    }

    @Test func followsLinksAsTheSystemDoes() throws {
        let open = folder.file("open")
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
        let target = try folder.write([1], to: "open/file")
        try setMode(0o777, open)
        for (link, destination) in [("absolute", target), ("relative", "open/file"), ("up", "./x/../open//file")] {
            try FileManager.default.createSymbolicLink(atPath: folder.file(link), withDestinationPath: destination)
        }
        try FileManager.default.createDirectory(atPath: folder.file("x"), withIntermediateDirectories: false)
        for link in ["absolute", "relative", "up"] {
            #expect(TrustedFile(folder.file(link)).problems.count == 1, "\(link)")
        }
        try setMode(0o755, open)
        try setMode(0o666, target)
        #expect(TrustedFile(folder.file("relative")).problems.map { $0.hasSuffix(target) } == [true])
        // As the kubelet swaps a Secret: ..data leads to a folder, and the names lead into ..data.
        try setMode(0o644, target)
        try FileManager.default.createSymbolicLink(atPath: folder.file("..data"), withDestinationPath: "open")
        try FileManager.default.createSymbolicLink(atPath: folder.file("key"), withDestinationPath: "..data/file")
        #expect(TrustedFile(folder.file("key")).problems == [])
    }

    @Test func endsWhereLinksGoRound() throws {
        for (link, destination) in [("a", "b"), ("b", "a")] {
            try FileManager.default.createSymbolicLink(atPath: folder.file(link), withDestinationPath: destination)
        }
        #expect(TrustedFile(folder.file("a")).problems == [], "reading it fails")
        #expect(TrustedFile(folder.file("none/file")).problems == [], "reading it fails")
        #expect(TrustedFile("").problems == [])
    }

    /// The service is user 65532 of a group of its own.
    @Test(
        arguments: [
            (0o640, 0, 65532, nil), (0o440, 0, 65532, nil), (0o644, 0, 0, nil), (0o600, 65532, 65532, nil),
            (0o666, 0, 0, "chmod go-w /etc/tokend/api-keys"), (0o660, 0, 65532, "chmod g-w /etc/tokend/api-keys"),
            (0o644, 1000, 1000, "chown root /etc/tokend/api-keys"),
            (0o640, 1000, 65532, "chown root:65532 /etc/tokend/api-keys && chmod 640 /etc/tokend/api-keys"),
        ] as [(mode_t, uid_t, gid_t, String?)]
    )
    func advisesWhatSuitsFilesOfRoots(mode: mode_t, owner: uid_t, group: gid_t, command: String?) throws {
        let problem = file(mode, owner: owner, group: group).problem(for: service, mayBeHandedOver: false)
        #expect(problem?.components(separatedBy: "Run: ").last == command)
    }

    @Test func elsewhereTheFileBecomesTheUsers() {
        let problem = file(0o600, owner: 1000, inRootsFolder: false).problem(for: service, mayBeHandedOver: false)
        #expect(problem?.hasSuffix("Run: chown 65532 /etc/tokend/api-keys") ?? false)
        let root = FileUser(id: 0, group: 0, groups: [0])
        #expect(
            file(0o600, owner: 65532).problem(for: root, mayBeHandedOver: false)?.hasSuffix(
                "chown 0 /etc/tokend/api-keys"
            ) ?? false
        )
    }

    @Test func rootMayHandOverWhatIsWrittenByAGroupOfTheUsers() {
        let handedOver = directory(0o2770, group: 65532)
        #expect(handedOver.problem(for: service, mayBeHandedOver: true) == nil)
        #expect(handedOver.problem(for: service, mayBeHandedOver: false) != nil)
        #expect(directory(0o2770, group: 1000).problem(for: service, mayBeHandedOver: true) != nil)
        #expect(directory(0o2777, group: 65532).problem(for: service, mayBeHandedOver: true) != nil)
        let root = FileUser(id: 0, group: 0, groups: [0])
        #expect(directory(0o770).problem(for: root, mayBeHandedOver: true) != nil)
        #expect(directory(0o770, owner: 65532, group: 65532).problem(for: service, mayBeHandedOver: true) != nil)
    }

    @Test func folderRules() {
        #expect(directory(0o777).problem(for: service, mayBeHandedOver: false) != nil)
        #expect(directory(0o1777).problem(for: service, mayBeHandedOver: false) == nil)
        // Whoever owns a sticky folder can replace all that is in it.
        #expect(directory(0o1777, owner: 1000).problem(for: service, mayBeHandedOver: false) != nil)
        // Kubernetes mounts a ConfigMap so.
        #expect(directory(0o777, readOnly: true).problem(for: service, mayBeHandedOver: false) == nil)
        #expect(directory(0o777, owner: 1000, readOnly: true).problem(for: service, mayBeHandedOver: false) != nil)
    }
}
