import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is believed: only root and the user that runs this may be able to change it.
///
/// What decides who may have what, what signs and what is loaded into the process are such files. Every folder on the way
/// to one counts, from the root of the file system, since another file could be put in its place there; so does every
/// symbolic link.
package struct TrustedFile: Sendable {
    /// The file.
    package let path: String
    private let isWritten: Bool
    private let user: FileUser

    /// Creates the rule for a file.
    ///
    /// - Parameters:
    ///   - path: The file, which need not be there.
    ///   - isWritten: Whether it is one that this process writes. Root may then let a group of the process write to it and
    ///     to its folder, which is how Kubernetes and root hand a folder over.
    package init(_ path: String, isWritten: Bool = false) {
        self.init(path, isWritten: isWritten, user: .current)
    }

    init(_ path: String, isWritten: Bool, user: FileUser) {
        self.path = path
        self.isWritten = isWritten
        self.user = user
    }

    /// Refuses a file that others can change.
    ///
    /// - Throws: ``MintingError`` that names what others can change, and says what to do.
    package func require() throws(MintingError) {
        let problems = problems
        guard problems.isEmpty else { throw MintingError(.file, problems.joined(separator: " ")) }
    }

    /// What lets others change the file, each with the command that takes it away; empty when nothing does.
    ///
    /// A file that is not there is no problem here: reading it is.
    package var problems: [String] {
        var walk = PathWalk(FilePath(path))
        var places: [FilePlace] = []
        while let place = walk.next() { places.append(place) }
        // The file, if it is there, and its folder; links are neither.
        let written = walk.obstacle == nil ? 2 : 1
        var problems: [String] = []
        for (index, place) in places.enumerated() {
            let mayBeHandedOver = isWritten && places[(index + 1)...].count { !$0.isLink } < written
            let problem = place.problem(for: user, mayBeHandedOver: mayBeHandedOver)
            if let problem, !problems.contains(problem) { problems.append(problem) }
        }
        if let obstacle = walk.obstacle, obstacle != .noSuchFileOrDirectory, access(path, F_OK) == 0 {
            problems.append("Cannot find out who may change \(path): \(obstacle). Name it by a path without that.")
        }
        return problems
    }
}
