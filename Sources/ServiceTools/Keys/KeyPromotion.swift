package import FleetToken
import JOSE
package import ServiceSupport
import StrictCoding
import SystemPackage
import TokenMinting
import TokenService

/// Promotes a kind's next key to its current key by moving their files, while services keep reading them: the current file
/// to the previous one's place, and the next to the current one's.
package struct KeyPromotion: Sendable {
    /// The longest that a token lives after its key stopped to sign, on clocks that differ by a minute: in seconds.
    private static let lifetime: Int64 = 3_660

    private let path: String
    private let (current, next, previous): (String, String, String)
    /// The files as they were when they were checked.
    private let checked: [FileFingerprint]
    private let keys: (new: String, former: String)

    /// Creates the promotion after checking that it is possible, and that the next key can sign for the same account.
    ///
    /// - Throws: ``ConfigurationError`` with the reason and an alternative.
    package init(
        of kind: TokenKind,
        in file: String,
        discardsPrevious: Bool
    ) async throws(ConfigurationError) {
        let now = NumericDate.now
        let path = "kinds.\(kind.rawValue)"
        guard let configuration = try ProductionMode(path: file).configuration.kinds[kind] else {
            throw ConfigurationError("\(path) is not in the configuration.")
        }
        self.path = path
        (current, next, previous) = try Self.files(of: configuration, at: path)
        guard KeyFile.isPresent(next) else {
            throw ConfigurationError(
                "There is no next key: \(next) is missing. Create it, and promote it after the service has published it."
            )
        }
        checked = [current, next].map(FileFingerprint.init)
        if !discardsPrevious, let since = Self.arrival(of: previous, unlessSameAs: current), now - since < Self.lifetime
        {
            let minutes = (Self.lifetime - max(0, now - since) + 59) / 60
            throw ConfigurationError(
                "\(previous) was put there less than an hour ago, and tokens that its key signed may live for another \(minutes) minutes. Promote then, or replace it now with --discard-previous: verifiers that use this service's key set then refuse those tokens."
            )
        }
        keys = try await Self.test(kind, configuration, at: now)
        guard !keys.new.hasSameBytes(as: keys.former) else {
            throw ConfigurationError("\(path): \(next) contains the current key. Remove it.")
        }
    }

    private static func files(
        of kind: KindConfiguration,
        at path: String
    ) throws(ConfigurationError) -> (current: String, next: String, previous: String) {
        guard let next = kind.next, let previous = kind.previous else {
            throw ConfigurationError(
                "\(path) requires next and previous, the files to move the next and the current key from and to. Add them to the configuration."
            )
        }
        // The key ID of a PEM file is in the configuration, and would have to change at the same moment.
        guard case .serviceAccount(let current) = kind.account, case .serviceAccount(let next) = next.account,
            case .serviceAccount(let previous) = previous
        else {
            throw ConfigurationError(
                "\(path): only JSON files of service accounts can be moved, because they contain the key ID too. Set \(path).next.from in the configuration instead: the next key signs from that time."
            )
        }
        return (current, next, previous)
    }

    /// Lets all keys of a kind sign, and returns the IDs of the next and the current one.
    private static func test(
        _ kind: TokenKind,
        _ configuration: KindConfiguration,
        at now: NumericDate
    ) async throws(ConfigurationError) -> (new: String, former: String) {
        let google = ProductionNetwork.none.google
        let rings = SigningKeys([kind: configuration], at: now) { try $0.signer(google: google) }
        guard rings.problems.isEmpty, let ring = rings.rings[kind], let new = ring.next?.publicKeys.first?.keyID,
            let former = ring.current.publicKeys.first?.keyID
        else { throw ConfigurationError(problems: rings.problems) }
        do {
            try await ring.test(at: now)
        } catch {
            throw ConfigurationError(problems: Problem.all(of: error).map { $0.within("kinds.\(kind.rawValue)") })
        }
        return (new, former)
    }

    /// What it does, or would do, a line each.
    package func text(isDryRun: Bool) -> String {
        let (signs, stays, becomes) =
            isDryRun
            ? ("would sign", "would only be published", "would become") : ("signs", "is only published", "becomes")
        return """
            \(path): the key \(keys.new) \(signs); the key \(keys.former) \(stays).
              \(current) \(becomes) \(previous)
              \(next) \(becomes) \(current)

            """
    }
}

// MARK: - Moving the files

extension KeyPromotion {
    /// Checks that this user can move the files.
    ///
    /// - Throws: ``ConfigurationError`` that says why not, and what to do instead.
    package func checkPlaces() throws(ConfigurationError) {
        let remedy = "Change the mounted files, or set \(path).next.from in the configuration."
        var devices: Set<dev_t> = []
        for file in [current, next, previous] {
            var status = stat()
            if lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
                throw ConfigurationError("\(file) is a symbolic link, as in a mounted Secret. \(remedy)")
            }
            let folder = Self.folder(of: file)
            guard stat(folder, &status) == 0, access(folder, W_OK | X_OK) == 0 else {
                throw ConfigurationError("\(folder) is not writable by this user. \(remedy)")
            }
            devices.insert(status.st_dev)
        }
        guard devices.count == 1 else {
            throw ConfigurationError(
                "\(current), \(next) and \(previous) are not on the same file system, so they cannot be moved atomically. \(remedy)"
            )
        }
    }

    /// Moves the files.
    ///
    /// Run an interrupted promotion again to complete it.
    ///
    /// The current file exists at every moment, because a rename replaces it atomically. A lock on the current file's folder
    /// keeps other promotions out; one that waited for it finds other files than it has checked.
    package func run() throws(ConfigurationError) {
        let folder = open(Self.folder(of: current), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Closing the folder releases the lock.
        defer { close(folder) }
        guard folder >= 0, flock(folder, LOCK_EX) == 0 else { throw Self.refusal(current, previous) }
        guard [current, next].map(FileFingerprint.init) == checked else {
            throw ConfigurationError(
                "\(current) or \(next) changed while the promotion was checked; another promotion may have moved them. No file was moved. Check which key is the current one before you promote again."
            )
        }
        // A promotion that was killed may have left it. The lock keeps others from using it now.
        let temporary = "\(previous).tmp"
        unlink(temporary)
        guard link(current, temporary) == 0 else { throw Self.refusal(current, previous) }
        // Renaming one of a file's two names to the other leaves both.
        defer { unlink(temporary) }
        guard rename(temporary, previous) == 0 else { throw Self.refusal(current, previous) }
        guard rename(next, current) == 0 else { throw Self.refusal(next, current) }
    }

    /// Returns when a file was put at its place; nil where there is none, or it is another file under a second name, as a
    /// promotion that was cut off leaves it.
    private static func arrival(of file: String, unlessSameAs other: String) -> NumericDate? {
        let fingerprint = FileFingerprint(of: file)
        guard case .present(let status) = fingerprint, fingerprint != FileFingerprint(of: other) else { return nil }
        // Renaming a file sets this time; the content's stays.
        return NumericDate(seconds: status.changed / 1_000_000_000)
    }

    private static func folder(of file: String) -> String {
        let folder = FilePath(file).removingLastComponent().string
        return folder.isEmpty ? "." : folder
    }

    private static func refusal(_ file: String, _ destination: String) -> ConfigurationError {
        let reason = Errno(rawValue: errno)
        return ConfigurationError(
            "Moving \(file) to \(destination) failed: \(reason). Fix this and promote again."
        )
    }
}
