import ArgumentParser

/// The role of a service account, as `--role` has it: `driver@example.com=driverSdkUser`.
struct RoleAssignment: Sendable {
    let address: String
    let role: Role

    /// Creates an assignment by parsing it.
    init(_ text: String) throws {
        let parts = text.split(separator: "=")
        guard parts.count == 2 else {
            throw ValidationError("it must be an address and a role: driver@example.com=driverSdkUser")
        }
        guard let role = Role(name: String(parts[1])) else {
            let roles = Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\(parts[1]) is not a role. Use \(roles)")
        }
        address = String(parts[0])
        self.role = role
    }
}
