import Libc

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
