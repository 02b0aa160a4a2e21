import ServiceSupport
import SystemPackage

/// The user that a service runs as, and as whom root checks a deployment.
package struct ServiceUser: Sendable {
    package let name: String
    private let id: uid_t
    private let group: gid_t

    package static var isRoot: Bool { geteuid() == 0 }

    /// Whether this process runs as the user.
    package var isCurrent: Bool { geteuid() == id }

    private init(_ entry: passwd) {
        name = String(cString: entry.pw_name)
        id = entry.pw_uid
        group = entry.pw_gid
    }

    /// Finds a user by name.
    package init(named name: String) throws(CommandError) {
        guard let entry = getpwnam(name) else {
            throw CommandError(.usage, "There is no user \(name) on this machine.")
        }
        self.init(entry.pointee)
    }

    /// Finds the user whom a configuration's folder is for: its owner, or the user whose group may read a folder of root's.
    ///
    /// - Returns: Nil where the folder is root's alone, or everyone's.
    package init?(deploymentOf configuration: String) {
        let folder = FilePath(configuration).removingLastComponent().string
        var status = stat()
        guard stat(folder.isEmpty ? "." : folder, &status) == 0 else { return nil }
        if status.st_uid != 0 {
            guard let entry = getpwuid(status.st_uid) else { return nil }
            self.init(entry.pointee)
            return
        }
        guard status.st_gid != 0, status.st_mode & S_IRGRP != 0, status.st_mode & S_IROTH == 0 else { return nil }
        let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) }
        // A system user's group has its name.
        if let group, let entry = getpwnam(group), entry.pointee.pw_gid == status.st_gid {
            self.init(entry.pointee)
            return
        }
        setpwent()
        defer { endpwent() }
        while let entry = getpwent() {
            guard entry.pointee.pw_gid == status.st_gid, entry.pointee.pw_uid != 0 else { continue }
            self.init(entry.pointee)
            return
        }
        return nil
    }

    /// Becomes the user, for the rest of the process.
    package func assume() throws(CommandError) {
        guard initgroups(name, group) == 0, setgid(group) == 0, setuid(id) == 0 else {
            throw CommandError(.failure, "Cannot switch to the user \(name): \(Errno(rawValue: errno)).")
        }
    }

    /// Does something as the user, and is root again afterwards.
    package func perform<Result>(_ work: () async throws -> Result) async throws -> Result {
        let count = max(0, getgroups(0, nil))
        var groups = [gid_t](repeating: 0, count: Int(count))
        guard getgroups(count, &groups) >= 0, initgroups(name, self.group) == 0, setegid(self.group) == 0,
            seteuid(id) == 0
        else { throw CommandError(.failure, "Cannot switch to the user \(name): \(Errno(rawValue: errno)).") }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        guard seteuid(0) == 0, setegid(getgid()) == 0, setgroups(groups.count, groups) == 0 else {
            throw CommandError(.failure, "Cannot switch back to root: \(Errno(rawValue: errno)).")
        }
        return try result.get()
    }
}
