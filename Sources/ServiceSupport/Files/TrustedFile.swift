import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A trusted file: only root and the user of this process may be able to change it.
///
/// Files that control access, sign, or are loaded into the process must be trusted. Every folder on the path counts,
/// from the root of the file system, because another file could be put in place there; so does every symbolic link.
package struct TrustedFile: Sendable {
    /// The file.
    package let path: String
    private let isWritten: Bool
    private let user: FileUser

    /// Creates the rule for a file.
    ///
    /// - Parameters:
    ///   - path: The file, which need not be there.
    ///   - isWritten: Whether this process writes the file. Root may then give a group of the process write access to
    ///     it and its folder, as Kubernetes and administrators do.
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
    /// - Throws: ``FileError`` that names what others can change, and the fix.
    package func require() throws(FileError) {
        let problems = problems
        guard problems.isEmpty else { throw FileError(problems.joined(separator: " ")) }
    }

    /// The ways in which others can change the file, each with the command that fixes it; empty if there are none.
    ///
    /// A missing file is not reported here, but when it is read.
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
            problems.append("Cannot check who can change \(path): \(obstacle). Use another path.")
        }
        return problems
    }
}
