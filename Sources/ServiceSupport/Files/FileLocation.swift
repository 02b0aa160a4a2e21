import SystemPackage

/// A file, folder or symbolic link on the way to a file that is trusted, and who may read and change it.
///
/// Two readings of one file are equal unless it was replaced, or its content, owner or mode changed between them.
struct FileLocation: Equatable {
    let path: String
    /// Its type and permissions.
    let mode: mode_t
    let owner: uid_t
    let group: gid_t
    let isInRootsFolder: Bool
    /// Whether it is where a file system begins that cannot be written to, such as a volume of Kubernetes'.
    var isReadOnlyVolume = false
    /// Its place on the disk, its size, and the times of its last changes.
    var version: [Int] = []

    var isLink: Bool { mode & S_IFMT == S_IFLNK }
    private var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    private var isRegular: Bool { mode & S_IFMT == S_IFREG }

    /// Returns the violation of the rule: the file must belong to root or the user and be writable by no other.
    ///
    /// - Parameters:
    ///   - user: Who trusts it.
    ///   - mayBeHandedOver: Whether root may let a group of the user's write to it.
    /// - Returns: The problem and the command that fixes it; nil if there is none.
    func problem(for user: FileUser, mayBeHandedOver: Bool) -> String? {
        guard owner == 0 || owner == user.id else {
            return "\(path) belongs to user \(owner), who can change it. Run: \(changeOfOwner(to: user))"
        }
        // A link's target is checked too; the permissions of links and pipes have another meaning.
        guard isFolder || isRegular, !isReadOnlyVolume else { return nil }
        // In a folder such as /tmp users can replace only their own files.
        guard !(isFolder && mode & mode_t(S_ISVTX) != 0) else { return nil }
        let isHandedOver = mayBeHandedOver && owner == 0 && user.id != 0 && user.groups.contains(group)
        let writers = mode & (S_IWOTH | (isHandedOver ? 0 : S_IWGRP))
        guard writers != 0 else { return nil }
        let (who, whose) = writers & S_IWOTH != 0 ? ("everyone", "o") : ("its group", "")
        let groups = writers & S_IWGRP != 0 ? "g" : ""
        let octal = String(mode & 0o7777, radix: 8)
        let what = isFolder ? "the files in it can be replaced" : "it decides what is trusted"
        return "\(path) is writable by \(who) (mode \(octal)), and \(what). Run: chmod \(groups)\(whose)-w \(path)"
    }

    /// Returns the command to change the owner.
    ///
    /// In root's folders, root keeps the file and the user's group gets read access; elsewhere the file becomes the
    /// user's.
    private func changeOfOwner(to user: FileUser) -> String {
        guard isInRootsFolder, user.id != 0, !isLink else { return "chown \(isLink ? "-h " : "")\(user.id) \(path)" }
        guard mode & S_IROTH == 0 else { return "chown root \(path)" }
        return "chown root:\(user.group) \(path) && chmod \(isFolder ? "750" : "640") \(path)"
    }

    /// Returns who else can read or change a file that is private, and the command that takes it away; nil if no other
    /// user can.
    ///
    /// Root can give a file to the user in no other way than by its group. So do Kubernetes, whose secrets belong to
    /// root and to the pod's `fsGroup`, and systemd, whose credentials have an access list, which shows as the group's.
    func exposure(for user: FileUser) -> String? {
        let isHandedOver = owner == 0 && user.id != 0
        let others = S_IWGRP | S_IROTH | S_IWOTH | (isHandedOver ? 0 : S_IRGRP)
        guard mode & others != 0 else { return nil }
        let verbs = [(S_IRGRP | S_IROTH, "read"), (S_IWGRP | S_IWOTH, "changed")].filter { mode & $0.0 != 0 }.map(\.1)
        let who = mode & (S_IROTH | S_IWOTH) != 0 ? "others" : "its group"
        let octal = String(mode & 0o777, radix: 8)
        // Without its group's right, the user could not read a file of root's at all.
        let fix = isHandedOver ? "chmod 640" : "chmod 600"
        return "\(path) can be \(verbs.joined(separator: " and ")) by \(who) (mode \(octal)). Run: \(fix) \(path)"
    }
}

extension FileLocation {
    /// Reads what is at a path, or an open file's state; who knows its folder saves the time to find it.
    ///
    /// - Throws: `Errno`.
    init(_ path: FilePath, in folderPath: FilePath? = nil, of file: FileDescriptor? = nil) throws {
        var (status, folder) = (stat(), stat())
        let parent = folderPath ?? path.removingLastComponent()
        guard (file.map { fstat($0.rawValue, &status) } ?? lstat(path.string, &status)) == 0,
            lstat(parent.isEmpty ? "." : parent.string, &folder) == 0
        else { throw Errno(rawValue: errno) }
        #if canImport(Darwin)
        let times = [status.st_mtimespec, status.st_ctimespec]
        #else
        let times = [status.st_mtim, status.st_ctim]
        #endif
        let identity = [Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino)]
        self.init(
            path: path.string,
            mode: status.st_mode,
            owner: status.st_uid,
            group: status.st_gid,
            isInRootsFolder: folder.st_uid == 0,
            version: identity + [Int(status.st_size)] + times.flatMap { [$0.tv_sec, $0.tv_nsec] }
        )
        // Kubernetes creates a volume's folder with mode 0777 and mounts it read-only. If systemd makes a whole disk
        // read-only for the service alone, other users can still write: that is not a separate file system.
        var volume = statvfs()
        guard status.st_dev != folder.st_dev, statvfs(path.string, &volume) == 0 else { return }
        isReadOnlyVolume = UInt(volume.f_flag) & UInt(ST_RDONLY) != 0
    }
}

/// The user that trusts a file.
struct FileUser {
    let id: uid_t
    let group: gid_t
    let groups: Set<gid_t>

    /// The user that runs this process.
    static var current: Self {
        var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        groups.removeLast(groups.count - max(0, Int(getgroups(Int32(groups.count), &groups))))
        return Self(id: geteuid(), group: getegid(), groups: Set(groups + [getegid()]))
    }
}
