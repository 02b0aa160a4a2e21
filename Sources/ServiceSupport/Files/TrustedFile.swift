import SystemPackage

/// A trusted file: only root and the user of this process may be able to change it.
///
/// Files that control access, sign, or are loaded into the process must be trusted. Every folder on the path counts,
/// from the root of the file system, because another file could be put in place there; so does every symbolic link.
package struct TrustedFile: Sendable {
    package let path: String
    private let isWritten: Bool
    private let user: FileUser

    /// How often a file that changes while it is read is read again.
    private static let attempts = 5

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
        let route = FileRoute(FilePath(path))
        var problems = problems(on: route.locations, isFound: route.failure == nil)
        if let failure = route.failure, failure != .noSuchFileOrDirectory, access(path, F_OK) == 0 {
            problems.append("Cannot check who can change \(path): \(failure). Use another path.")
        }
        return problems
    }

    /// Reads the file whose path was checked, and which did not change meanwhile.
    ///
    /// - Parameter isPrivate: Whether to refuse a file that others can read.
    /// - Returns: The content, of at most ``KeyFile/maximumSize`` bytes.
    /// - Throws: ``FileError`` that names the file and the fix.
    package func read(isPrivate: Bool = false) throws(FileError) -> [UInt8] {
        try opened { file, location, problems in
            try FileContent.requireRegular(file)
            if isPrivate, let exposure = KeyFile.exposure(path, mode: location.mode, owner: location.owner) {
                throw FileError(exposure)
            }
            guard problems.isEmpty else { throw FileError(problems.joined(separator: " ")) }
            return try KeyFile.read(file)
        }
    }

    /// Reads the file, and returns the ways in which others could change what was read.
    ///
    /// - Parameter limit: How many bytes to read at most.
    /// - Returns: The content, and the problems.
    /// - Throws: ``FileError`` that names the file and the fix, if it cannot be read.
    package func content(atMost limit: Int) throws(FileError) -> (bytes: [UInt8], problems: [String]) {
        try opened { file, _, problems in
            try FileContent.requireRegular(file)
            return (try FileContent.read(file, atMost: limit), problems)
        }
    }

    func opened<Result>(
        _ body: (FileDescriptor, FileLocation, _ problems: [String]) throws -> Result
    ) throws(FileError) -> Result {
        do {
            for _ in 0..<Self.attempts {
                // A rename in place of the file is no error: the next attempt reads the new one.
                do { return try openedOnce(body) } catch is FileRoute.Changed {}
            }
            throw FileError("\(path) changes while it is read. Replace files by renaming them.")
        } catch let error as FileError {
            throw error
        } catch {
            throw .file(action: "read", path, error)
        }
    }

    private func openedOnce<Result>(
        _ body: (FileDescriptor, FileLocation, _ problems: [String]) throws -> Result
    ) throws -> Result {
        let route = FileRoute(FilePath(path))
        let (file, location) = try route.openFile()
        return try file.closeAfter {
            let locations = Array(route.locations.dropLast()) + [location]
            let before = try FileState(of: file)
            let result = try body(file, location, problems(on: locations, isFound: true))
            guard try FileState(of: file) == before else { throw FileRoute.Changed() }
            return result
        }
    }

    private func problems(on locations: [FileLocation], isFound: Bool) -> [String] {
        // The file, if it is there, and its folder; links are neither.
        let written = isFound ? 2 : 1
        var problems: [String] = []
        for (index, location) in locations.enumerated() {
            let mayBeHandedOver = isWritten && locations[(index + 1)...].count { !$0.isLink } < written
            let problem = location.problem(for: user, mayBeHandedOver: mayBeHandedOver)
            if let problem, !problems.contains(problem) { problems.append(problem) }
        }
        return problems
    }
}

/// What changes when an open file does: its content, its owner, its mode, or its name.
private struct FileState: Equatable {
    private let values: [Int]

    init(of file: FileDescriptor) throws {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        #if canImport(Darwin)
        let times = [status.st_mtimespec, status.st_ctimespec]
        #else
        let times = [status.st_mtim, status.st_ctim]
        #endif
        values = [Int(status.st_size)] + times.flatMap { [$0.tv_sec, $0.tv_nsec] }
    }
}
