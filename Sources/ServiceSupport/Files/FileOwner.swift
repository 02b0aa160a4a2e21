import SystemPackage

/// Who owns a file or folder, and who may write to it.
struct FileOwner {
    let path: String
    /// Its type and permissions.
    let mode: mode_t
    let owner: uid_t
    let group: gid_t
    /// Whether a file system begins here that cannot be written to, such as a volume of Kubernetes'.
    var isReadOnlyVolume = false
    /// Whether the file, or its folder, is mounted, as in a container: its mode is that of the mount.
    var isMounted = false

    private var isFolder: Bool { mode & S_IFMT == S_IFDIR }

    /// Returns the violation of the rule: the file must belong to root or the user and be writable by no other.
    ///
    /// - Parameters:
    ///   - user: Who trusts it.
    ///   - mayBeHandedOver: Whether root may let a group of the user's write to it.
    /// - Returns: The problem and the command that fixes it; nil if there is none.
    func problem(for user: FileUser, mayBeHandedOver: Bool) -> String? {
        guard owner == 0 || owner == user.id else {
            let advice = user.id == 0 ? "Run this command as the service's user, or: " : "Run: "
            return "\(path) belongs to user \(owner), who can change it. \(advice)chown \(user.id) \(path)"
        }
        // The permissions of a link mean nothing. In a sticky folder such as /tmp users can replace only their own files.
        let isLink = mode & S_IFMT == S_IFLNK
        guard !isLink, !isReadOnlyVolume, !(isFolder && mode & mode_t(S_ISVTX) != 0) else { return nil }
        let isHandedOver = mayBeHandedOver && owner == 0 && user.id != 0 && user.groups.contains(group)
        let writers = mode & (S_IWOTH | (isHandedOver ? 0 : S_IWGRP))
        guard writers != 0 else { return nil }
        let (who, others) = writers & S_IWOTH != 0 ? ("everyone", "o") : ("its group", "")
        let groups = writers & S_IWGRP != 0 ? "g" : ""
        let octal = String(mode & 0o7777, radix: 8)
        let what = isFolder ? "the files in it can be replaced" : "it decides what is trusted"
        return "\(path) is writable by \(who) (mode \(octal)), and \(what). Run: chmod \(groups)\(others)-w \(path)"
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
        guard !isMounted else {
            return
                "\(path) can be \(verbs.joined(separator: " and ")) by \(who) (mode \(octal)). It is mounted, so set its mode in the mount: in Kubernetes defaultMode: 0440 with fsGroup, mode: 0400 in a CSI driver's SecretProviderClass; in Docker, put it into a volume with mode 0400."
        }
        // Without its group's right, the user could not read a file of root's at all.
        let fix = isHandedOver ? "chmod 640" : "chmod 600"
        return "\(path) can be \(verbs.joined(separator: " and ")) by \(who) (mode \(octal)). Run: \(fix) \(path)"
    }
}

extension FileOwner {
    /// Creates the owner of an open file.
    init(_ path: String, _ status: stat) {
        self.init(path: path, mode: status.st_mode, owner: status.st_uid, group: status.st_gid)
        var (folder, parent) = (stat(), stat())
        let name = FilePath(path).removingLastComponent().string
        guard stat(name.isEmpty ? "." : name, &folder) == 0, stat("\(name.isEmpty ? "." : name)/..", &parent) == 0
        else {
            return
        }
        isMounted = status.st_dev != folder.st_dev || folder.st_dev != parent.st_dev
    }

    /// Creates the owner of a folder; nil if there is none.
    init?(folder: FilePath) {
        let path = folder.isEmpty ? "." : folder.string
        var (status, parent, volume) = (stat(), stat(), statvfs())
        guard stat(path, &status) == 0 else { return nil }
        self.init(path, status)
        // Kubernetes creates a volume's folder with mode 0777 and mounts it read-only. If systemd makes a whole disk
        // read-only for the service alone, other users can still write: that is not a separate file system.
        guard stat("\(path)/..", &parent) == 0, parent.st_dev != status.st_dev, statvfs(path, &volume) == 0 else {
            return
        }
        isReadOnlyVolume = UInt(volume.f_flag) & UInt(ST_RDONLY) != 0
    }
}

/// The user that trusts a file.
struct FileUser {
    let id: uid_t
    let groups: Set<gid_t>

    /// The user that runs this process.
    static var current: Self {
        var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        groups.removeLast(groups.count - max(0, Int(getgroups(Int32(groups.count), &groups))))
        return Self(id: geteuid(), groups: Set(groups + [getegid()]))
    }
}
