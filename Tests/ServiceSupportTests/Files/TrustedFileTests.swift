import Foundation
import TestSupport
import Testing

@testable import ServiceSupport

/// Who may change what is trusted: the rule on its own, and as far as one user can try it on the disk.
struct TrustedFileTests {
    private let folder: TemporaryFolder
    private let service = FileUser(id: 65532, groups: [65532])
    private let root = FileUser(id: 0, groups: [0])

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ mode: mode_t, owner: uid_t, group: gid_t = 0) -> FileOwner {
        FileOwner(path: "/etc/tokend/api-keys", mode: S_IFREG | mode, owner: owner, group: group)
    }

    private func directory(_ mode: mode_t, owner: uid_t = 0, group: gid_t = 0, readOnly: Bool = false) -> FileOwner {
        FileOwner(
            path: "/etc/tokend",
            mode: S_IFDIR | mode,
            owner: owner,
            group: group,
            isReadOnlyVolume: readOnly
        )
    }

    @Test(arguments: [0o600, 0o400, 0o640, 0o644, 0o755, 0o700])
    func `A file that only its owner can change is trusted`(mode: Int) throws {
        let path = try folder.write([1], to: "api-keys", mode: mode)
        #expect(TrustedFile(path).problems == [])
    }

    @Test(
        arguments: [(0o666, "go-w"), (0o664, "g-w"), (0o646, "o-w"), (0o620, "g-w"), (0o602, "o-w")]
    )
    func `A file that others can write is one problem, with its mode and the command`(mode: Int, bits: String) throws {
        let path = try folder.write([1], to: "api-keys", mode: mode)
        let problems = TrustedFile(path).problems
        #expect(problems.count == 1)
        let problem = try #require(problems.first)
        #expect(problem.contains("(mode \(String(mode, radix: 8)))"))
        #expect(problem.hasSuffix("Run: chmod \(bits) \(path)"))
        let error = try #require(throws: OperatorError.self) { try TrustedFile(path).read() }
        #expect(error.description == problem)
    }

    @Test
    func `A folder that others may write is refused, also without the file, unless it is sticky`() throws {
        try folder.makeFolder("outer")
        let path = try folder.write([1], to: "outer/file")
        #expect(TrustedFile(path).problems == [])
        try TemporaryFolder.setMode(0o775, folder.file("outer"))
        #expect(TrustedFile(path).problems.map { $0.hasSuffix("Run: chmod g-w \(folder.file("outer"))") } == [true])
        #expect(TrustedFile(folder.file("outer/none")).problems.count == 1)
        try TemporaryFolder.setMode(0o1777, folder.file("outer"))
        #expect(TrustedFile(path).problems == [])
    }

    @Test
    func `A link in a folder that others may write is refused`() throws {
        let target = try folder.write([1], to: "file")
        try folder.makeFolder("open", mode: 0o777)
        try folder.link("open/link", to: target)
        let problems = TrustedFile(folder.file("open/link")).problems
        #expect(problems.map { $0.hasSuffix("Run: chmod go-w \(folder.file("open"))") } == [true])
        lchown(folder.file("open/link"), 1000, 1000)
        try TemporaryFolder.setMode(0o755, folder.file("open"))
        // Only root can give a link away.
        #expect(TrustedFile(folder.file("open/link")).problems.count == (geteuid() == 0 ? 1 : 0))
    }

    @Test
    func `Links are followed as the system does, and what they lead to counts`() throws {
        try folder.makeFolder("open", mode: 0o777)
        try folder.makeFolder("x")
        let target = try folder.write([1], to: "open/file")
        for (link, destination) in [("absolute", target), ("relative", "open/file"), ("up", "./x/../open//file")] {
            try folder.link(link, to: destination)
            #expect(TrustedFile(folder.file(link)).problems.count == 1, "\(link)")
        }
        try TemporaryFolder.setMode(0o755, folder.file("open"))
        try TemporaryFolder.setMode(0o666, target)
        #expect(TrustedFile(folder.file("relative")).problems.map { $0.hasSuffix(target) } == [true])
        // As the kubelet swaps a Secret: ..data leads to a folder, and the names lead into ..data.
        try TemporaryFolder.setMode(0o644, target)
        try folder.link("..data", to: "open")
        try folder.link("key", to: "..data/file")
        #expect(TrustedFile(folder.file("key")).problems == [])
    }

    @Test
    func `A path that leads nowhere has no problem here: reading it fails`() throws {
        try folder.link("a", to: "b")
        try folder.link("b", to: "a")
        for path in [folder.file("a"), folder.file("none/file"), ""] { #expect(TrustedFile(path).problems == []) }
    }

    @Test(
        arguments: [
            (0o640, 0, 65532, nil), (0o440, 0, 65532, nil), (0o644, 0, 0, nil), (0o600, 65532, 65532, nil),
            (0o666, 0, 0, "chmod go-w /etc/tokend/api-keys"), (0o660, 0, 65532, "chmod g-w /etc/tokend/api-keys"),
            (0o644, 1000, 1000, "chown 65532 /etc/tokend/api-keys"),
        ] as [(mode_t, uid_t, gid_t, String?)]
    )
    func `A refusal names the command that mends the file`(mode: mode_t, owner: uid_t, group: gid_t, command: String?)
        throws
    {
        let problem = file(mode, owner: owner, group: group).problem(for: service, mayBeHandedOver: false)
        #expect(problem?.components(separatedBy: "Run: ").last == command)
    }

    @Test
    func `Root is told to run the command as the service's user`() {
        let problem = file(0o600, owner: 65532).problem(for: root, mayBeHandedOver: false)
        #expect(problem?.contains("Run this command as the service's user") == true)
    }

    @Test
    func `Folders are trusted by owner, mode, stickiness, a read-only mount, or root's gift to the user's group`() {
        for (folder, user, mayBeHandedOver, isTrusted) in [
            (directory(0o777), service, false, false), (directory(0o1777), service, false, true),
            // Whoever owns a sticky folder can replace all that is in it.
            (directory(0o1777, owner: 1000), service, false, false),
            // Kubernetes mounts a ConfigMap so.
            (directory(0o777, readOnly: true), service, false, true),
            (directory(0o777, owner: 1000, readOnly: true), service, false, false),
            (directory(0o2770, group: 65532), service, true, true),
            (directory(0o2770, group: 65532), service, false, false),
            (directory(0o2770, group: 1000), service, true, false),
            (directory(0o2777, group: 65532), service, true, false),
            (directory(0o770), root, true, false),
            (directory(0o770, owner: 65532, group: 65532), service, true, false),
        ] {
            let problem = folder.problem(for: user, mayBeHandedOver: mayBeHandedOver)
            #expect((problem == nil) == isTrusted, "\(folder) \(user.id) \(mayBeHandedOver)")
        }
    }
}
