import SystemPackage

/// A trusted file: only root and the user of this process may be able to change it.
///
/// Files that control access, sign, or are loaded into the process must be trusted. Every folder on the path counts,
/// from the root of the file system, because another file could be put in place there; so does every symbolic link.
package struct TrustedFile: Sendable {
    package let path: String
    private let isWritten: Bool

    /// How often a file that changes while it is read is read again.
    private static let attempts = 5

    /// Creates the rule for a file.
    ///
    /// - Parameters:
    ///   - path: The file, which need not be there.
    ///   - isWritten: Whether this process writes the file. Root may then give a group of the process write access to
    ///     it and its folder, as Kubernetes and administrators do.
    package init(_ path: String, isWritten: Bool = false) {
        self.path = path
        self.isWritten = isWritten
    }

    /// Refuses a file that others can change.
    ///
    /// - Throws: ``FileError`` that names what others can change, and the fix.
    package func require() throws(FileError) {
        try Self.require(problems)
    }

    private static func require(_ problems: [String]) throws(FileError) {
        guard problems.isEmpty else { throw FileError(problems.joined(separator: " ")) }
    }

    /// The ways in which others can change the file, each with the command that fixes it; empty if there are none.
    ///
    /// A missing file is not reported here, but when it is read.
    package var problems: [String] {
        let route = FileRoute(FilePath(path))
        var problems = problems(on: route)
        if let failure = route.failure, access(path, F_OK) == 0 {
            problems.append("Cannot check who can change \(path): \(failure). Use another path.")
        }
        return problems
    }

    private func problems(on route: FileRoute) -> [String] {
        // The folder alone, if the file is not there.
        let written = [route.path] + (route.failure == nil ? [route.path.removingLastComponent()] : [])
        let user = FileUser.current
        var seen: Set<String> = []
        return route.locations.compactMap { location in
            let mayBeHandedOver = isWritten && written.contains(FilePath(location.path))
            return location.problem(for: user, mayBeHandedOver: mayBeHandedOver)
        }.filter { seen.insert($0).inserted }
    }

    /// Reads the file whose path was checked, and which did not change meanwhile.
    ///
    /// - Parameter isPrivate: Whether to refuse a file that others can read.
    /// - Returns: The content, of at most ``KeyFile/maximumSize`` bytes.
    /// - Throws: ``FileError`` that names the file and the fix.
    package func read(isPrivate: Bool = false) throws(FileError) -> [UInt8] {
        try opened { file, problems in
            let bytes = try FileContent.read(file, atMost: KeyFile.maximumSize + 1)
            if isPrivate, let name = Self.publicPEM(in: bytes) {
                throw FileError("\(path) has a \(name) and no private key. Name the file with the private key.")
            }
            if isPrivate, let exposure = try FileLocation(FilePath(path), of: file).exposure(for: .current) {
                throw FileError(exposure)
            }
            try Self.require(problems)
            return try KeyFile.checked(bytes)
        }
    }

    /// What a PEM file holds instead of a private key: to protect it from readers would not help.
    private static func publicPEM(in pem: [UInt8]) -> String? {
        func has(_ label: String) -> Bool { pem.firstRange(of: "\(label)-----".utf8) != nil }
        guard !has("PRIVATE KEY") else { return nil }
        return has("PUBLIC KEY") ? "public key" : has("CERTIFICATE") ? "certificate" : nil
    }

    /// Reads the file, and returns the ways in which others could change what was read.
    ///
    /// - Throws: ``FileError`` that names the file and the fix, if it cannot be read.
    package func content(atMost limit: Int) throws(FileError) -> (bytes: [UInt8], problems: [String]) {
        try opened { file, problems in (try FileContent.read(file, atMost: limit), problems) }
    }

    func opened<Result>(
        _ body: (FileDescriptor, _ problems: [String]) throws -> Result
    ) throws(FileError) -> Result {
        do {
            // A rename in place of the file is no error: the next attempt reads the new one.
            for _ in 0..<Self.attempts {
                if let result = try openedOnce(body) { return result }
            }
            throw FileError("\(path) changes while it is read. Replace files by renaming them.")
        } catch let error as FileError {
            throw error
        } catch {
            throw .file(action: "read", path, error)
        }
    }

    /// Returns nil if the file is not the one that was checked, or changed since.
    private func openedOnce<Result>(_ body: (FileDescriptor, [String]) throws -> Result) throws -> Result? {
        let route = FileRoute(FilePath(path))
        if let failure = route.failure { throw failure }
        // A pipe would wait for a writer without `nonBlocking`; for a file it means nothing.
        let file = try FileDescriptor.open(route.path, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
        return try file.closeAfter {
            try FileContent.requireRegular(file)
            let result = try body(file, problems(on: route))
            return try FileLocation(route.path, of: file) == route.locations.last ? result : nil
        }
    }
}
