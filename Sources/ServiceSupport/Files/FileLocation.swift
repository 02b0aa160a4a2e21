import SystemPackage

/// A file, folder or symbolic link on the way to a file that is trusted, and who may change it.
struct FileLocation {
    let path: String
    /// Its type and permissions.
    let mode: mode_t
    let owner: uid_t
    let group: gid_t
    let isInRootsFolder: Bool
    /// Whether it is where a file system begins that cannot be written to, such as a volume of Kubernetes'.
    var isReadOnlyVolume = false

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
