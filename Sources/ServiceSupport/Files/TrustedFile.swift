import SystemPackage

/// A trusted file: only root and the user of this process may be able to change it.
///
/// Files that control access, sign, or are written by this process must be trusted. As with OpenSSH's StrictModes, the file and
/// its folder count; where the path is a symbolic link, also the link and its folder. The file is checked by its open
/// descriptor: what is checked is what is read.
package struct TrustedFile: Sendable {
    package let path: String
    private let isWritten: Bool

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

    /// The ways in which others can change the file, each with the command that fixes it; empty if there are none.
    ///
    /// A file that is not there, or cannot be opened, is reported when it is read; its folder counts here, too.
    package var problems: [String] {
        (try? opened { _, problems in problems }) ?? problems(of: [], in: FilePath(path).removingLastComponent())
    }

    /// Reads the file, which no other user may be able to change.
    ///
    /// - Parameter isPrivate: Whether to refuse a file that others can read.
    /// - Returns: The content, of at most ``KeyFile/maximumSize`` bytes.
    /// - Throws: ``OperatorError`` that names the file and the fix.
    package func read(isPrivate: Bool = false) throws(OperatorError) -> [UInt8] {
        try opened { file, problems in
            let bytes = try FileContent.read(file, atMost: KeyFile.maximumSize + 1)
            let exposure = isPrivate ? try exposure(of: file, holding: bytes) : nil
            try Self.refuse(problems + [exposure].compactMap(\.self))
            return try KeyFile.checked(bytes)
        }
    }

    /// Returns why a private file must not be as it is; nil if it may.
    private func exposure(of file: FileDescriptor, holding bytes: [UInt8]) throws -> String? {
        if let name = Self.publicPEM(in: bytes) {
            return "\(path) has a \(name) and no private key. Name the file with the private key."
        }
        return FileOwner(path, try FileContent.regularStatus(of: file)).exposure(for: .current)
    }

    private static func refuse(_ problems: [String]) throws(OperatorError) {
        guard problems.isEmpty else { throw OperatorError(problems: problems.map { Problem($0) }) }
    }

    /// What a PEM file holds instead of a private key: to protect it from readers would not help.
    private static func publicPEM(in pem: [UInt8]) -> String? {
        func has(_ label: String) -> Bool { pem.firstRange(of: "\(label)-----".utf8) != nil }
        guard !has("PRIVATE KEY") else { return nil }
        return has("PUBLIC KEY") ? "public key" : has("CERTIFICATE") ? "certificate" : nil
    }

    /// Reads the file, which no other user may be able to change, to its end or to a limit.
    ///
    /// - Throws: ``OperatorError`` that names the file and the fix.
    package func content(atMost limit: Int) throws(OperatorError) -> [UInt8] {
        try opened { file, problems in
            try Self.refuse(problems)
            return try FileContent.read(file, atMost: limit)
        }
    }

    /// Opens the file where its links lead.
    func opened<Result>(
        _ body: (FileDescriptor, _ problems: [String]) throws -> Result
    ) throws(OperatorError) -> Result {
        do {
            let target = try Self.target(of: path)
            // A pipe would wait for a writer without `nonBlocking`; for a file it means nothing.
            let file = try FileDescriptor.open(target, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
            return try file.closeAfter {
                let owner = FileOwner(target.string, try FileContent.regularStatus(of: file))
                return try body(file, problems(of: [owner], in: target.removingLastComponent()))
            }
        } catch let error as OperatorError {
            throw error
        } catch {
            throw .file(action: "read", path, error)
        }
    }

    /// Returns the absolute path of a file, without links.
    private static func target(of path: String) throws -> FilePath {
        guard let target = realpath(path, nil) else { throw Errno(rawValue: errno) }
        defer { free(target) }
        return FilePath(platformString: target)
    }

    /// Returns the problems of a file, of the folder that it is in, and of the link that leads to it and its folder.
    private func problems(of files: [FileOwner], in folder: FilePath) -> [String] {
        var owners = files
        var folders = [folder]
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            owners.append(FileOwner(path, status))
            folders.append(FilePath(path).removingLastComponent())
        }
        owners += folders.compactMap { FileOwner(folder: $0) }
        var seen: Set<String> = []
        let problems = owners.compactMap { $0.problem(for: .current, mayBeHandedOver: isWritten) }
        return problems.filter { seen.insert($0).inserted }
    }
}
