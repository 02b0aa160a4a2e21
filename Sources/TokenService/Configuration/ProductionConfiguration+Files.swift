import FleetToken
import ServiceSupport
import TokenIssuance
import TokenMinting

extension ProductionConfiguration {
    /// Every file that is read for it; not the audit trail, which is written.
    package var files: [String] { namedFiles.map(\.path) }

    /// The files that are read for it, each with its setting.
    private var namedFiles: [(setting: String, path: String)] {
        let tls = [("certificate", tls?.certificate), ("key", tls?.key)]
        let keys = TokenKind.allCases.flatMap { kind in
            kinds[kind].map { [("kinds.\(kind.rawValue).\($0.fileSetting)", $0.file)] } ?? []
        }
        let callers = callers.flatMap { caller in caller.files.map { ("callers.\(caller.name).\($0)", $1) } }
        let webhooks = webhooks.map { ("webhooks.\($0.name).secretFile", Optional($0.secretFile)) }
        return (tls.map { ("service.tls.\($0)", $1) } + keys + callers + webhooks)
            .compactMap { setting, path in path.map { (setting, $0) } }
    }

    /// Finds files that control access and can be changed by users other than root and this user.
    ///
    /// - Returns: Each problem once, with the setting of its file.
    func trustProblems(_ path: String) -> [Problem] {
        var files = [("configuration", TrustedFile(path))]
        files += namedFiles.map { ($0, TrustedFile($1)) }
        if let trail = audit.file { files.append(("audit.file", TrustedFile(trail, isWritten: true))) }
        // A file of many callers is one file, and a folder of many files is one problem.
        var seen: Set<String> = []
        var known = Set(fileProblems)
        let others = files.filter { seen.insert($0.1.path).inserted }.flatMap { setting, file in
            file.problems.filter { known.insert($0).inserted }.map { Problem($0, setting: setting) }
        }
        return fileProblems.map { Problem($0, setting: "configuration") } + others
    }
}
